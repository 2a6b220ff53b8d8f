import { expect } from 'vitest'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/nodes.ts')

fault(
  'W5',
  '4 workers, 2,000 deliveries due at once: none is sent twice, and long queues do not delay short ones',
  ({ sent }) => expect(sent).toBe(2_000),
)

fault(
  'W3',
  'SIGTERM under load, two nodes: no request to the drained node fails, running or on a kept connection',
  ({ drains }) => expect(drains).toBe(countOf('drains')),
)

fault(
  'W4',
  'SIGSTOP longer than the lease, then SIGCONT: the other node takes over, and the woken one overwrites nothing',
)
