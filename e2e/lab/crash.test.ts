import { expect } from 'vitest'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const kills = countOf('kills')

const fault = faultsOf('e2e/lab/crash.ts')

fault(
  'W1',
  'kill -9 at random moments with 200 deliveries in flight: nothing acknowledged is lost',
  // How long each start took is printed, and not judged: it tells as much about what else the machine was doing.
  ({ kills: done }) => expect(done).toBe(kills),
)

fault('W1 in a row', 'more crashes than a delivery has attempts cost it none of them', ({ cutOff, attempts }) => {
  expect(cutOff).toBeGreaterThanOrEqual(kills)
  expect(attempts).toBe(1)
})
