import { describe, expect, test } from 'vitest'
import { hashOf, isSecret } from './secret.ts'
import {
  expiryOf,
  type Lifetime,
  previousSecretOf,
  refusesRotation,
  refusesUse,
  type ServiceTokenState,
  statusOf,
} from './token.ts'

const now = new Date('2026-11-20T10:00:00Z')
const dayMs = 86_400_000
const at = (ms: number) => new Date(now.getTime() + ms)
const before = at(-1)
const after = at(1)

test.each([
  ['a token that never expires', null, null, undefined],
  ['a token that expires later', after, null, undefined],
  ['a token that expires now', now, null, 'token_expired'],
  ['an expired token', before, null, 'token_expired'],
  ['a revoked token', null, before, 'token_revoked'],
  ['a token that is revoked and expired', before, before, 'token_revoked'],
])('%s', (_what, expiresAt, revokedAt, refusal) => {
  expect(refusesUse({ expiresAt, revokedAt }, now)?.refusal).toBe(refusal)
})

test.each<[Lifetime, string | undefined]>([
  ['never', undefined],
  ['7d', '2026-11-27T10:00:00.000Z'],
  ['30d', '2026-12-20T10:00:00.000Z'],
  ['90d', '2027-02-18T10:00:00.000Z'],
  ['1y', '2027-11-20T10:00:00.000Z'],
])('a token for %s expires at %s', (lifetime, expiry) => {
  expect(expiryOf(lifetime, now)?.toISOString()).toBe(expiry)
})

test('a year is not longer than a calendar year', () => {
  const leap = new Date('2028-01-15T00:00:00Z')
  expect(expiryOf('1y', leap)!.getTime()).toBeLessThanOrEqual(Date.parse('2029-01-15T00:00:00Z'))
})

const token = (lifeMs: number | null, ageMs: number, more: Partial<ServiceTokenState> = {}): ServiceTokenState => ({
  createdAt: at(-ageMs),
  expiresAt: lifeMs === null ? null : at(lifeMs - ageMs),
  revokedAt: null,
  replacedBy: null,
  ...more,
})

describe('status', () => {
  test.each([
    ['never expires', token(null, 900 * dayMs), 'ACTIVE'],
    ['30 days, new', token(30 * dayMs, 0), 'ACTIVE'],
    ['30 days, a moment before its last week', token(30 * dayMs, 23 * dayMs - 1), 'ACTIVE'],
    ['30 days, at the start of its last week', token(30 * dayMs, 23 * dayMs), 'EXPIRING'],
    ['30 days, at its last moment', token(30 * dayMs, 30 * dayMs - 1), 'EXPIRING'],
    ['30 days, expired', token(30 * dayMs, 30 * dayMs), 'EXPIRED'],
    ['7 days, new', token(7 * dayMs, 0), 'ACTIVE'],
    ['7 days, a moment before its last day', token(7 * dayMs, 6 * dayMs - 1), 'ACTIVE'],
    ['7 days, at the start of its last day', token(7 * dayMs, 6 * dayMs), 'EXPIRING'],
    ['a little over 7 days, new', token(7 * dayMs + 2, 1), 'ACTIVE'],
    ['a little over 7 days, at the start of its last week', token(7 * dayMs + 1, 1), 'EXPIRING'],
    ['half a day, new', token(dayMs / 2, 0), 'EXPIRING'],
    ['a previous secret', token(null, 0, { replacedBy: 'x', expiresAt: after }), 'PREVIOUS_SECRET'],
    ['a previous secret past its grace', token(null, 0, { replacedBy: 'x', expiresAt: now }), 'EXPIRED'],
    ['a previous secret that was revoked', token(null, 0, { replacedBy: 'x', revokedAt: before }), 'REVOKED'],
    ['revoked', token(null, 0, { revokedAt: before }), 'REVOKED'],
    ['revoked and expired', token(dayMs, 2 * dayMs, { revokedAt: before }), 'REVOKED'],
  ])('%s: %s', (_what, state, status) => expect(statusOf(state, now)).toBe(status))

  test.each([
    ['ACTIVE', token(null, 0), false],
    ['EXPIRING', token(dayMs, 1), false],
    ['EXPIRED', token(dayMs, dayMs), true],
    ['REVOKED', token(null, 0, { revokedAt: before }), true],
    ['PREVIOUS_SECRET', token(null, 0, { replacedBy: 'x', expiresAt: after }), true],
  ])('a token with status %s cannot be rotated: %s', (status, state, isRefused) => {
    expect(statusOf(state, now)).toBe(status)
    expect(refusesRotation(state, now)).toEqual(
      isRefused
        ? expect.objectContaining({
            refusal: 'invalid_state',
            details: { current: status, allowed: ['ACTIVE', 'EXPIRING'] },
          })
        : undefined,
    )
  })
})

test.each([
  ['that never expires', null, dayMs, at(dayMs)],
  ['that expires after the grace', at(2 * dayMs), dayMs, at(dayMs)],
  ['that expires within the grace', at(1000), dayMs, at(1000)],
  ['without grace', null, 0, now],
])('the previous secret of a token %s', (_what, expiresAt, graceMs, end) => {
  expect(previousSecretOf({ name: 'ci', expiresAt }, graceMs, now)).toEqual({
    name: 'ci (previous secret)',
    expiresAt: end,
  })
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
] as const)('%s is a secret with the prefix %s: %s', (text, prefix, expected) =>
  expect(isSecret(text, prefix)).toBe(expected),
)

test('a secret is stored as its SHA-256 hash', () => {
  expect(hashOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
