import { expect } from 'vitest'
import { inFull } from '../../packages/server/testing/in-full.ts'
import { faultsOf } from './faults.ts'

const { fault, found } = faultsOf('e2e/lab/hostile.ts')

fault('W6', 'hostile receivers: the deadline is kept, and the answer and the record have the right status and message')

fault(
  'W6 TLS',
  'bad certificates, old versions, unknown ciphers, garbage: nothing is sent, and the record gives the reason',
  ({ kinds }) => expect(kinds).toBe(10),
)

inFull('platform/outbound/attempt')(
  'W6 memory 50 hostile answers at once: the program uses at most 20 MB more',
  found('W6 memory'),
)

fault('W7 embedded', 'bodies that are not text are stored as text and listed')

fault('W7 server', 'bodies that are not text are stored as text and listed')

fault('W3 beside silence', 'SIGTERM while a ping and deliveries wait for endpoints that never answer: exit code 0')
