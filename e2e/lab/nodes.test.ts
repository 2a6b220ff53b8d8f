import { expect } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { countOf } from './counts.ts'
import { faultsOf } from './faults.ts'

const { fault, found } = faultsOf('e2e/lab/nodes.ts')

inFull('webhooks/routes-workers')(
  'W5 four workers, 2,000 deliveries due at once: none is sent twice, and long queues do not delay short ones',
  found('W5', ({ sent }) => expect(sent).toBe(2_000)),
)

fault(
  'W3',
  'SIGTERM under load, two nodes: no request to the drained node fails, running or on a kept connection',
  ({ drains }) => expect(drains).toBe(countOf('drains')),
)

inFull('webhooks/routes-workers')(
  'W4 SIGSTOP longer than the lease, then SIGCONT: the other node takes over, and the woken one overwrites nothing',
  found('W4'),
)
