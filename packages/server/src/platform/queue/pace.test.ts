import { expect, test } from 'vitest'
import { type Pace, paceAfter } from './pace.ts'

const cases: [delivered: boolean, durationMs: number, pace: Pace][] = [
  [true, 0, 'fast'],
  [true, 199, 'fast'],
  [true, 200, 'usual'],
  [true, 1_999, 'usual'],
  [true, 2_000, 'slow'],
  [true, 10_000, 'slow'],
  [false, 1, 'failing'],
  [false, 10_000, 'failing'],
]

test.each(cases)('with delivered %s after %i ms, the lane is %s', (delivered, durationMs, pace) => {
  expect(paceAfter({ delivered, durationMs })).toBe(pace)
})
