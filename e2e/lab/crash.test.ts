import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

// Each is a start of the whole program, two seconds of a processor; 50 of them: SVC_TEST_KILLS=50.
const kills = process.env.SVC_TEST_KILLS ?? '8'

const fault = faultsOf('e2e/lab/crash.ts', { LAB_KILLS: kills })

fault(
  'W1',
  'kill -9 at random moments with 200 deliveries in flight: nothing acknowledged is lost',
  // How long each start took is printed, and not judged: it tells as much about what else the machine was doing.
  ({ kills: done }) => expect(done).toBe(Number(kills)),
)

fault('W1 in a row', 'more crashes than a delivery has attempts cost it none of them', ({ attempts }) =>
  expect(attempts).toBe(1),
)
