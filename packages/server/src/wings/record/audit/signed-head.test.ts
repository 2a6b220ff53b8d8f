import { expect, test } from 'vitest'
import { signersWith } from '../../../platform/sign.ts'
import { readHeads, signHead } from './signed-head.ts'

const signer = signersWith(Buffer.alloc(32, 1)).audit
const head = signHead(
  { organization: '01a2', seq: 1204, hash: 'ab'.repeat(32), signedAt: '2026-11-23T10:00:00.000Z' },
  signer,
)
const text = JSON.stringify(head)

test('a head is read back, even from between other lines of a log', () => {
  expect(readHeads(text, signer)).toEqual({ heads: [head], forged: [] })
  const log = [
    'not JSON',
    'null',
    '7',
    '{"level":"info"}',
    JSON.stringify({ level: 'info', ...head, msg: 'x' }),
    '',
  ].join('\n')
  expect(readHeads(log, signer)).toEqual({ heads: [head], forged: [] })
})

test.each([
  ['organization', '01a3'],
  ['seq', 1203],
  ['hash', 'cd'.repeat(32)],
  ['signedAt', '2026-11-24T10:00:00.000Z'],
  ['signature', 'AAAA'],
])('a head with a different %s is forged', (field, value) => {
  expect(readHeads(`\n${JSON.stringify({ ...head, [field]: value })}`, signer)).toEqual({ heads: [], forged: [2] })
})

test.each([
  ['key', signersWith(Buffer.alloc(32, 2)).audit],
  ['purpose', signersWith(Buffer.alloc(32, 1)).unsubscribe],
])('the signature of a different %s is not valid', (_what, other) => {
  expect(readHeads(text, other)).toEqual({ heads: [], forged: [1] })
})
