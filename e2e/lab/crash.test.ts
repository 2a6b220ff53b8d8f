import { expect } from 'vitest'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const kills = countOf('kills')
/** Of ten events to each receiver. */
const inFlight = 10 * countOf('hooks')

const { fault } = faultsOf('e2e/lab/crash.ts')

fault(
  'W1',
  `kill -9 at random moments with ${inFlight} deliveries in flight: no acknowledged event is lost`,
  // The start times are only printed, because they depend on the load of the machine.
  ({ kills: done }) => expect(done).toBe(kills),
)

fault('W1 in a row', 'more crashes than a delivery has attempts: it loses none of them', ({ cutOff, attempts }) => {
  expect(cutOff).toBeGreaterThanOrEqual(kills)
  expect(attempts).toBe(1)
})
