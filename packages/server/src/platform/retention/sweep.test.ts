import { expect, test } from 'vitest'
import { keptSince, nextInMs } from './sweep.ts'

test.each([
  [0, 900],
  [0.5, 1000],
  [1, 1100],
])('a sweep with an interval of one second and random value %f repeats after %i ms', (random, expected) => {
  expect(nextInMs({ everyMs: 1000 }, random)).toBeCloseTo(expected)
})

test.each([
  [0, '2026-11-20T10:00:00.000Z'],
  [86_400_000, '2026-11-19T10:00:00.000Z'],
])('rows that are kept for %i ms are deleted when they are older than %s', (keepForMs, expected) => {
  expect(keptSince({ keepForMs }, new Date('2026-11-20T10:00:00.000Z')).toISOString()).toBe(expected)
})
