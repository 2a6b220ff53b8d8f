import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

const drains = process.env.SVC_TEST_KILLS ?? '6'

const fault = faultsOf('e2e/lab/nodes.ts', { LAB_DRAINS: drains })

fault('W5', '4 workers, 2,000 deliveries: none is sent twice, and every endpoint gets its own', ({ sent }) =>
  expect(sent).toBe(2_000),
)

fault('W3', 'SIGTERM under load, two nodes: no request fails on the drained node, exit 0 within 15 s')

fault('W4', 'SIGSTOP longer than the lease, then SIGCONT: the other takes over, the woken one overwrites nothing')
