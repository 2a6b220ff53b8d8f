import { expect } from 'vitest'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/nodes.ts')
/** Those of three long and 40 short queues. */
const dueAtOnce = 3 * countOf('changes') + 200

fault(
  'W5',
  `${countOf('workers')} workers, ${dueAtOnce} deliveries due at once: none is sent twice, and long queues do not delay short ones`,
  ({ sent }) => expect(sent).toBe(dueAtOnce),
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
