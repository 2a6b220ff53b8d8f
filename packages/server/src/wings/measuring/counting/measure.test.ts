import { expect, test } from 'vitest'
import { closesAt, countedSince, countedUntil, type Measure } from './measure.ts'

test.each([
  // A rule that is younger than the oldest event: all of its units count.
  ['2026-03-01T10:00:00.000Z', '2026-01-10T10:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ['2026-01-12T10:00:00.000Z', '2026-01-10T10:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  // The first day that is kept is not whole.
  ['2026-01-10T23:00:00.000Z', '2026-01-10T10:00:00.000Z', '2026-01-11T00:00:00.000Z'],
  ['2025-10-01T10:00:00.000Z', '2026-01-10T00:00:00.000Z', '2026-01-11T00:00:00.000Z'],
])('a metric of a rule since %s with events since %s counts units since %s', (since, kept, expected) => {
  expect(countedSince(new Date(since), new Date(kept)).toISOString()).toBe(expected)
})

test.each([
  [true, '2026-01-09T10:00:00.001Z'],
  [false, '2026-01-10T10:00:00.000Z'],
])('with only closed windows %s, units count until %s', (onlyClosed, expected) => {
  const measure = { windowHours: 24, onlyClosed } as Measure
  expect(countedUntil(measure, new Date('2026-01-10T10:00:00.000Z')).toISOString()).toBe(expected)
})

test.each([
  ['2026-01-10T10:00:00.000Z', [24, 12], '2026-01-11T11:00:00.000Z'],
  ['2026-01-10T10:00:00.000Z', [], '2026-01-10T11:00:00.000Z'],
  [null, [24], undefined],
])('of a rule that ended %s with windows of %j hours, the results are final after %s', (ended, hours, expected) => {
  const measures = hours.map((windowHours) => ({ windowHours }))
  expect(closesAt(ended === null ? null : new Date(ended), measures, 3_600_000)?.toISOString()).toBe(expected)
})
