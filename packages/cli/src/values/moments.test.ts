import { expect, it } from 'vitest'
import { laterMomentOf, momentOf } from './moments.ts'

const now = new Date('2026-12-01T12:00:00Z')

it.each([
  ['2h', '2026-12-01T10:00:00.000Z'],
  ['2026-11-30', '2026-11-30T00:00:00.000Z'],
  ['2026-11-30T08:00:00+01:00', '2026-11-30T07:00:00.000Z'],
])('%s is %s', (text, moment) => expect(momentOf(text, '--since', now)).toBe(moment))

it.each(['', 'yesterday', '2026-13-01', '0s', '5'])('svc refuses "%s"', (text) => {
  expect(() => momentOf(text, '--since', now)).toThrow('--since must be')
})

it.each([
  ['2h', '2026-12-01T14:00:00.000Z'],
  ['7d', '2026-12-08T12:00:00.000Z'],
  ['2026-12-02T09:00+01:00', '2026-12-02T09:00:00+01:00'],
  ['2026-12-02T09:00:30Z', '2026-12-02T09:00:30Z'],
  ['tomorrow', 'tomorrow'],
])('a schedule for %s is for %s', (text, moment) => expect(laterMomentOf(text, '--run', now)).toBe(moment))

it.each([
  ['2026-12-24 18:00', 'Europe/Amsterdam', '2026-12-24T17:00:00.000Z'],
  ['2026-07-01T18:00:30', 'Europe/Amsterdam', '2026-07-01T16:00:30.000Z'],
  ['2026-12-24 18:00', 'America/St_Johns', '2026-12-24T21:30:00.000Z'],
  ['2026-12-24 18:00', 'UTC', '2026-12-24T18:00:00.000Z'],
  ['2027-03-28 01:59', 'Europe/Amsterdam', '2027-03-28T00:59:00.000Z'],
  ['2027-03-28 03:00', 'Europe/Amsterdam', '2027-03-28T01:00:00.000Z'],
  ['2027-10-31 03:00', 'Europe/Amsterdam', '2027-10-31T02:00:00.000Z'],
])('%s in %s is %s', (text, zone, moment) => expect(laterMomentOf(text, '--run', now, zone)).toBe(moment))

it.each([
  [
    '2027-03-28 02:30',
    'Europe/Amsterdam',
    '--pause 2027-03-28 02:30 does not exist in Europe/Amsterdam: clocks go from +01:00 to +02:00 then.',
  ],
  [
    '2027-10-31 02:30',
    'Europe/Amsterdam',
    'use 2027-10-31T02:30:00+02:00 for the first, or 2027-10-31T02:30:00+01:00 for the second.',
  ],
  ['2027-10-31 02:30', 'Europe/Atlantis', '--timezone must be a time zone such as Europe/Amsterdam'],
  ['2027-10-31 02:30', undefined, '--pause must have an offset, such as 2027-10-31T02:30:00+01:00, or a --timezone'],
  ['2027-02-30 10:00', 'UTC', '--pause 2027-02-30 10:00 must be a time such as 2026-12-01 09:00.'],
  ['2027-10-31 25:30', 'Europe/Amsterdam', '--pause 2027-10-31 25:30 must be a time such as 2026-12-01 09:00.'],
])('%s in %s is refused', (text, zone, message) => {
  expect(() => laterMomentOf(text, '--pause', now, zone)).toThrow(message)
})
