import { expect } from 'vitest'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const healthyLimitMs = 2_000
const ladderMinutes = 14 * 60 + 36

const fault = faultsOf('e2e/lab/time.ts')

fault(
  'W9',
  'one dead endpoint with 500 queued beside 19 healthy ones: their p95 stays under 2 s',
  ({ p95Ms, waiting }) => {
    expect(waiting).toBe(500)
    expect(p95Ms).toBeLessThan(healthyLimitMs)
  },
)

fault(
  'W10',
  'a receiver that was down for 30 min: the backlog is drained without a burst above the cap',
  ({ events, failed }) => {
    expect(events).toBe(countOf('backlog'))
    expect(failed).toBeGreaterThan(0)
  },
)

fault('ladder', 'six attempts over 14 h 36 min, none before its time', ({ attempts, climbedMinutes }) => {
  expect(attempts).toBe(6)
  expect(climbedMinutes).toBeGreaterThanOrEqual(ladderMinutes)
})

fault('keys', 'an idempotency key is kept for 24 h and no longer')

fault('records', 'deliveries are listed for 30 days, and then deleted')

fault('W13', 'clock +2 h, −30 min, +1 year: no burst, no negative waits')
