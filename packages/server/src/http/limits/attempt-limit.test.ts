import { expect, test } from 'vitest'
import { attemptLimits } from './attempt-limit.ts'
import { type CountWindows, ownWindows, type Window } from './count-windows.ts'

test.each([
  ['password', 10, 900],
  ['code', 5, 900],
  ['reset', 3, 3600],
] as const)('%s: one account has %i attempts in %i s, in any spelling', async (kind, limit, windowSeconds) => {
  const attempts = attemptLimits(ownWindows)
  for (let used = 0; used < limit; used++) expect(await attempts.take(kind, 'olive@acme.test')).toBeUndefined()
  expect(await attempts.take(kind, 'Olive@ACME.test')).toMatchObject({
    refusal: 'rate_limited',
    details: { limit, windowSeconds, retryAfterSeconds: windowSeconds },
  })
  expect(await attempts.take(kind, 'other@acme.test')).toBeUndefined()
})

test('kinds are counted separately, and a successful attempt resets the count', async () => {
  const attempts = attemptLimits(ownWindows)
  for (let used = 0; used < 6; used++) await attempts.take('code', 'u')
  expect(await attempts.take('password', 'u')).toBeUndefined()
  await attempts.forgive('code', 'u')
  expect(await attempts.take('code', 'u')).toBeUndefined()
})

test('the store of counters contains no addresses', async () => {
  const seen: string[] = []
  const watched: CountWindows = (window: Window) => {
    const own = ownWindows(window)
    return { ...own, count: (subject) => own.count(seen[seen.push(subject) - 1]!) }
  }
  await attemptLimits(watched).take('password', 'olive@acme.test')
  expect(seen).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)])
})
