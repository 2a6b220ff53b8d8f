import { expect, test } from 'vitest'
import { hashOf, isSecret } from './secret.ts'
import { refusesUse } from './token.ts'

const now = new Date('2026-11-20T10:00:00Z')
const before = new Date(now.getTime() - 1)
const after = new Date(now.getTime() + 1)

test.each([
  ['one that never expires', null, null, undefined],
  ['one that expires later', after, null, undefined],
  ['one that expires now', now, null, 'token_expired'],
  ['one that has expired', before, null, 'token_expired'],
  ['one that was revoked', null, before, 'token_revoked'],
  ['one that was revoked and has expired', before, before, 'token_revoked'],
])('%s', (_what, expiresAt, revokedAt, refusal) => {
  expect(refusesUse({ expiresAt, revokedAt }, now)?.refusal).toBe(refusal)
})

const random = 'A'.repeat(43)

test.each([
  [`svc_svc_${random}`, 'svc_svc_', true],
  [`svc_pat_${random}`, 'svc_pat_', true],
  [`svc_svc_${random}`, 'svc_pat_', false],
  [`svc_svc_${random}A`, 'svc_svc_', false],
  [`svc_svc_${random.slice(1)}`, 'svc_svc_', false],
  [`svc_svc_${random.slice(1)}=`, 'svc_svc_', false],
  [random, 'svc_svc_', false],
] as const)('%s as a secret with %s: %s', (text, prefix, expected) => expect(isSecret(text, prefix)).toBe(expected))

test('a secret is stored as its SHA-256 hash', () => {
  expect(hashOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
