import { expect, test } from 'vitest'
import { askedMs } from './hold.ts'

const now = new Date('2026-11-20T10:00:00.000Z')

test.each([
  [null, 0],
  ['', 0],
  ['0', 0],
  ['120', 120_000],
  [' 120 ', 120_000],
  ['999999999', 999_999_999_000],
  ['1000000000', 999_999_999_000],
  ['9'.repeat(400), 999_999_999_000],
  ['0000000120', 120_000],
  ['1.5', 1_500],
  ['-5', 0],
  ['soon', 0],
  ['Fri, 20 Nov 2026 10:02:00 GMT', 120_000],
  ['Fri, 20 Nov 2026 09:58:00 GMT', 0],
])('Retry-After %j asks for %i ms', (retryAfter, expected) => {
  expect(askedMs(retryAfter, now)).toBe(expected)
})
