import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/hostile.ts')

fault('W6', 'hostile receivers: the deadline is kept, answer and record have the right status and message')

fault(
  'W6 TLS',
  'bad certificates, old versions, foreign ciphers, garbage: nothing is sent, the record says why',
  ({ kinds }) => expect(kinds).toBe(10),
)

fault('W6 memory', '50 hostile answers at once cost the program 20 MB at most')

fault('W7 embedded', 'bodies that are no text are stored as text, and listed')

fault('W7 server', 'bodies that are no text are stored as text, and listed')

fault('W3 beside silence', 'SIGTERM while a ping and deliveries wait for endpoints that never answer: exit 0')
