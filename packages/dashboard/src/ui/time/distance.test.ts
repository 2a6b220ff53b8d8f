import { expect, it } from 'vitest'
import { ago, dayNumber, distance, shortDistance } from './distance.ts'

const now = new Date('2026-06-15T12:00:00Z')

it.each([
  ['2026-06-15T12:00:00Z', 'just now'],
  ['2026-06-15T11:59:01Z', 'just now'],
  ['2026-06-15T12:00:59Z', 'in less than a minute'],
  ['2026-06-15T11:59:00Z', '1 minute ago'],
  ['2026-06-15T12:59:59Z', 'in 60 minutes'],
  ['2026-06-15T10:00:01Z', '2 hours ago'],
  ['2026-06-16T12:00:00Z', 'in 1 day'],
  ['2026-06-21T12:00:00Z', 'in 6 days'],
  ['2026-06-22T11:59:59Z', 'in 7 days'],
  ['2026-06-22T12:00:00Z', 'in 7 days'],
  ['2026-07-15T12:00:00Z', 'in 30 days'],
  ['2026-08-14T12:00:00Z', 'in 2 months'],
  ['2025-06-15T12:00:00Z', '1 year ago'],
])('%s is %s', (time, expected) => {
  expect(distance(new Date(time), now)).toBe(expected)
})

it.each([
  ['2026-06-15T11:59:01Z', 'just now'],
  ['2026-06-15T12:00:29Z', 'just now'],
  ['2026-06-15T11:59:00Z', '1 minute ago'],
])('%s is over, and its distance is %s', (time, expected) => {
  expect(ago(new Date(time), now)).toBe(expected)
})

it.each([
  ['2026-06-15T11:59:01Z', 'now'],
  ['2026-06-15T11:59:00Z', '1 min'],
  ['2026-06-15T10:00:01Z', '2 h'],
  ['2026-06-21T12:00:00Z', '6 d'],
  ['2026-05-25T12:00:00Z', '21 d'],
  ['2024-06-15T12:00:00Z', '2 y'],
])('%s is %s in a narrow column', (time, expected) => {
  expect(shortDistance(new Date(time), now)).toBe(expected)
})

it.each([
  ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z', 1],
  ['2026-11-20T12:00:00Z', '2026-11-21T11:59:00Z', 1],
  ['2026-11-20T12:00:00Z', '2026-11-21T12:01:00Z', 2],
  ['2026-11-20T12:00:00Z', '2026-12-02T13:00:00Z', 13],
])('of what began at %s, %s is day %i', (since, now, day) => {
  expect(dayNumber(since, new Date(now))).toBe(day)
})
