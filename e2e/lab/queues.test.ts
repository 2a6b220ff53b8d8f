import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

const healthyLimitMs = 2_000

const fault = faultsOf('e2e/lab/queues.ts')

fault(
  'W9',
  'one dead endpoint with 500 queued beside 19 healthy ones: their p95 stays under 2 s',
  ({ p95Ms, waiting }) => {
    expect(waiting).toBe(500)
    expect(p95Ms).toBeLessThan(healthyLimitMs)
  },
)

fault('W10', 'a receiver that was down for 30 min: the backlog is drained without a burst above the cap')
