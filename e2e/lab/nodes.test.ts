import { expect } from 'vitest'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/nodes.ts')

fault(
  'W5',
  '4 workers, 2,000 deliveries due at once: none is sent twice, long queues hold up no short ones',
  ({ sent }) => expect(sent).toBe(2_000),
)

fault(
  'W3',
  'SIGTERM under load, two nodes: no request fails on the drained node, be it under way or on a kept connection',
  ({ drains }) => expect(drains).toBe(countOf('drains')),
)

fault('W4', 'SIGSTOP longer than the lease, then SIGCONT: the other takes over, the woken one overwrites nothing')
