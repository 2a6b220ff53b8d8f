import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../testing/clock.ts'
import { endOf, hashOfSession, isOver, newSessionSecret } from './session.ts'

const now = new Date('2026-11-20T10:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const ahead = (ms: number) => new Date(now.getTime() + ms)

test.each([
  ['signed in and just used', 'SIGNED_IN', ago(0), ahead(dayMs), false],
  ['used almost 12 hours ago', 'SIGNED_IN', ago(12 * hourMs - 1), ahead(dayMs), false],
  ['used 12 hours ago', 'SIGNED_IN', ago(12 * hourMs), ahead(dayMs), true],
  ['at its end, but just used', 'SIGNED_IN', ago(0), now, true],
  ['a moment before its end', 'SIGNED_IN', ago(0), ahead(1), false],
  ['waiting for the second factor', 'SECOND_FACTOR', ago(minuteMs), ahead(1), false],
  ['waiting too long for the second factor', 'SECOND_FACTOR', ago(minuteMs), now, true],
] as const)('%s: ended is %s', (_what, stage, lastSeenAt, expiresAt, expected) => {
  expect(isOver({ stage, lastSeenAt, expiresAt }, now)).toBe(expected)
})

test('a session lasts 7 days, and 10 minutes while it waits for the second factor', () => {
  expect(endOf('SIGNED_IN', now)).toEqual(ahead(7 * dayMs))
  expect(endOf('SECOND_FACTOR', now)).toEqual(ahead(10 * minuteMs))
})

test('a secret has 32 random bytes, and any other text is never looked up', () => {
  const secret = newSessionSecret()
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(hashOfSession(secret)).toHaveLength(32)
  for (const text of [undefined, '', 'x', `${secret}A`, secret.slice(1)]) expect(hashOfSession(text)).toBeNull()
})
