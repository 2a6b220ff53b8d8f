import { afterEach, expect, test, vi } from 'vitest'
import { type RateTable, rateClassOf, rateHeaders, rateLimits, retryAfterSeconds } from './rate-limit.ts'

const now = () => new Date()
const two = { read: 2, write: 2 }
const one = { read: 1, write: 1 }

afterEach(() => vi.useRealTimers())

test.each([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['POST', 'write'],
  ['PUT', 'write'],
  ['PATCH', 'write'],
  ['DELETE', 'write'],
])('%s counts as a %s', (method, kind) => expect(rateClassOf(method)).toBe(kind))

test('a limit is used up request by request, then exceeded', async () => {
  const limits = rateLimits({ webhooks: two, general: one, 'sign-in': one }, now)
  const seen = []
  for (let count = 0; count < 4; count += 1) seen.push(await limits.count('a', 'read', 'webhooks'))
  expect(seen.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [1, false],
    [0, false],
    [0, true],
    [0, true],
  ])
})

test('subjects, classes and families are counted separately', async () => {
  const limits = rateLimits({ webhooks: one, general: one, 'sign-in': one }, now)
  const seen = [
    await limits.count('a', 'read', 'webhooks'),
    await limits.count('b', 'read', 'webhooks'),
    await limits.count('a', 'write', 'webhooks'),
    await limits.count('a', 'read', 'general'),
    await limits.count('a', 'write', 'general'),
  ]
  expect(seen.map(({ exceeded }) => exceeded)).toEqual(seen.map(() => false))
})

test('each family and class has its own limit', async () => {
  const table: RateTable = {
    webhooks: { read: 600, write: 120 },
    general: { read: 6_000, write: 1_200 },
    'sign-in': one,
  }
  const limits = rateLimits(table, now)
  const limitOf = async (kind: 'read' | 'write', family: keyof RateTable) =>
    (await limits.count('a', kind, family)).limit
  expect(await limitOf('read', 'webhooks')).toBe(600)
  expect(await limitOf('write', 'webhooks')).toBe(120)
  expect(await limitOf('read', 'general')).toBe(6_000)
  expect(await limitOf('write', 'general')).toBe(1_200)
})

test('a window lasts 60 s from its first request', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) })
  const limits = rateLimits({ webhooks: one, general: one, 'sign-in': one }, now)
  const resetAt = new Date(Date.now() + 60_000)
  expect(await limits.count('a', 'read', 'general')).toEqual({ limit: 1, remaining: 0, resetAt, exceeded: false })
  vi.advanceTimersByTime(59_999)
  expect(await limits.count('a', 'read', 'general')).toEqual({ limit: 1, remaining: 0, resetAt, exceeded: true })
  vi.advanceTimersByTime(1)
  expect(await limits.count('a', 'read', 'general')).toMatchObject({ exceeded: false })
})

test('the headers give the limit, the rest and the end of the window', () => {
  const state = { limit: 600, remaining: 587, resetAt: new Date(1_795_178_459_001), exceeded: false }
  expect(rateHeaders(state)).toEqual({
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': '587',
    'x-ratelimit-reset': '1795178460',
  })
  expect(retryAfterSeconds(state, new Date(1_795_178_400_000))).toBe(60)
  expect(retryAfterSeconds(state, new Date(1_795_178_459_001))).toBe(1)
})
