import { inFull } from '../../packages/server/testing/in-full.ts'
import { faultsOf } from './faults.ts'

const { fault, found } = faultsOf('e2e/lab/changes.ts')

fault(
  'alarm',
  'a variation that no visitor gets: one alarm arrives over HTTPS with a valid signature, and the rule pauses',
)

inFull('e2e/lab/crash')(
  'W2 kill -9 between commit and first attempt, and during an answer: delivered, with at most one duplicate',
  found('W2'),
)

fault('W8', 'names that become private, mixed, aliased or silent after they were saved: no connection is made')

fault(
  'W11',
  '4 failed, 1 delivered, 4 failed: the counter is 4 and the webhook enabled, until one more failure disables it',
)

fault(
  'W12',
  'URL changed, disabled, deleted or rotated during an attempt: the attempt ends with the old data, no row is orphaned',
)

fault('W14', 'one idempotency key 50 times, kill -9 in between, 50 replays: one effect, one secret')

// The creations are in `routes-create`, and the retries in `routes-deliveries`.
inFull('webhooks/routes-update')(
  'W15 one ETag 20 times, 20 creates at 95 of 100, one retry 20 times: only the allowed number succeeds',
  found('W15'),
)
