import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

// RFC 6238, appendix B, for SHA-1: the last six of the eight digits.
const rfcSecret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at second %i the code is %s', (seconds, code) => {
  const now = new Date(seconds * 1000)
  expect(stepOfCode(rfcSecret, code, { now, lastStep: null })).toBe(Math.floor(seconds / 30))
})

const secret = newTotpSecret()
const now = new Date('2026-11-20T10:00:10Z')
const step = Math.floor(now.getTime() / 30_000)
const codeOf = (number: number) => new TOTP({ secret }).generate({ timestamp: number * 30_000 })

test.each([
  ['the current code', step, null, step],
  ['the previous code', step - 1, null, step - 1],
  ['the next code', step + 1, null, step + 1],
  ['the code of two steps before', step - 2, null, undefined],
  ['the code of two steps after', step + 2, null, undefined],
  ['the current code after the previous one', step, step - 1, step],
  ['the current code again', step, step, undefined],
  ['an older code after a newer one', step - 1, step, undefined],
])('%s', (_what, number, lastStep, expected) => {
  expect(stepOfCode(secret, codeOf(number), { now, lastStep })).toBe(expected)
})

test('a space in the middle is ignored, and a text that is not a code is refused', () => {
  const code = codeOf(step)
  expect(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)}\n`, { now, lastStep: null })).toBe(step)
  for (const text of ['', '1', `${code}0`, code.slice(1), 'abcdef', '٠٠٠٠٠٠'])
    expect(stepOfCode(secret, text, { now, lastStep: null }), text).toBeUndefined()
})

test('an app gets a secret of 160 bits with the names of account and service', () => {
  expect(Secret.fromBase32(secret).bytes).toHaveLength(20)
  expect(totpUri(secret, 'olive@acme.test', 'svc.test:4000')).toBe(
    `otpauth://totp/svc.test%3A4000:olive%40acme.test?issuer=svc.test%3A4000&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
})
