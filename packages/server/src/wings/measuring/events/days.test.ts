import { expect, test } from 'vitest'
import { dayOf, isPast, timeOf } from './days.ts'

test.each([
  ['2026-11-23T00:00:00.000Z', 'exposures_20261123'],
  ['2026-11-23T23:59:59.999Z', 'exposures_20261123'],
  ['2026-11-24T00:00:00.000Z', 'exposures_20261124'],
])('what is received at %s is in %s', (at, name) => {
  const day = dayOf('exposures', new Date(at))
  expect(day.name).toBe(name)
  expect(day.from <= new Date(at) && new Date(at) < day.until).toBe(true)
  expect(day.until.getTime() - day.from.getTime()).toBe(86_400_000)
})

test('the time of a partition is in its name', () => {
  const { name, ...time } = dayOf('exposures', new Date('2026-11-23T10:00:00.000Z'))
  expect(timeOf(name)).toEqual(time)
  expect(timeOf('exposures_other')).toBeUndefined()
})

test.each([
  ['exposures_20261123', '2026-11-23T23:59:59.999Z', false],
  ['exposures_20261123', '2026-11-24T00:00:00.000Z', true],
  ['tracked_events_20261123', '2027-01-01T00:00:00.000Z', true],
  ['exposures_other', '2027-01-01T00:00:00.000Z', false],
])('the partition %s is past at %s: %s', (name, before, past) => {
  expect(isPast(name, new Date(before))).toBe(past)
})
