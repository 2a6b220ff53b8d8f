import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/changes.ts')

fault(
  'W2',
  'kill -9 between commit and first attempt, and while the receiver answers: delivered, at most one duplicate',
)

fault('W8', 'names that turn private, mixed, aliased or silent after they were saved: nothing is connected to')

fault('W11', '4 failed, 1 delivered, 4 failed: stays enabled with a counter of 4, and one more disables')

fault('W12', 'URL changed, disabled, deleted, rotated during an attempt: it ends on old data, nothing is orphaned')

fault('W14', 'the same idempotency key 50 times, kill -9 in the middle, 50 replays: one effect, one secret')

fault('W15', 'one ETag 20 times, 20 creations at 95 of 100, one retry 20 times: only what is allowed happens')
