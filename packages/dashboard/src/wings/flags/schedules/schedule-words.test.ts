import { describe, expect, it } from 'vitest'
import { zonesFrom } from '../../../ui/time/zones.ts'
import {
  clockWarnings,
  momentWords,
  scheduleSentence,
  suspensionWords,
  timeFault,
  timeWords,
} from './schedule-words.ts'

const now = new Date('2026-11-23T08:00:00Z')
const amsterdam = 'Europe/Amsterdam'
const wanted = (date: string, time: string, timezone = amsterdam) => ({ date, time, timezone })

it.each([
  ['2026-12-01T08:00:00Z', amsterdam, 'in 8 days, 1 Dec 09:00 Amsterdam, 08:00 UTC'],
  ['2026-12-01T08:00:00Z', 'UTC', 'in 8 days, 1 Dec 08:00 UTC'],
  ['2026-11-23T20:00:00Z', 'Asia/Tokyo', 'in 12 hours, 24 Nov 05:00 Tokyo, 23 Nov 20:00 UTC'],
  ['2027-04-01T07:00:00Z', amsterdam, 'in 4 months, 1 Apr 2027 09:00 Amsterdam, 07:00 UTC'],
  ['2026-11-23T08:00:30Z', 'UTC', 'in less than a minute, 23 Nov 08:00 UTC'],
])('%s in %s reads %j', (at, zone, words) => {
  expect(timeWords(new Date(at), zone, now)).toBe(words)
})

it('the page says a moment in a sentence', () => {
  expect(momentWords(new Date('2026-11-22T22:04:00Z'), amsterdam)).toBe('22 Nov 23:04')
})

describe('a schedule in a sentence', () => {
  const launch = {
    action: 'RUN',
    status: 'PENDING',
    runAt: '2026-12-01T08:00:00Z',
    timezone: amsterdam,
    updatedAt: '2026-11-22T22:04:00Z',
    failureReason: null,
    by: { name: 'Ada' },
  } as const
  it.each([
    [{}, 'Runs in 8 days, 1 Dec 09:00 Amsterdam, 08:00 UTC'],
    [{ action: 'PAUSE' }, 'Pauses in 8 days, 1 Dec 09:00 Amsterdam, 08:00 UTC'],
    [{ status: 'SUSPENDED' }, 'The run of 1 Dec 09:00 Amsterdam is suspended by Ada’s pause on 22 Nov 23:04'],
    [
      { status: 'SUSPENDED', updatedAt: '2026-11-23T07:10:00Z' },
      'The run of 1 Dec 09:00 Amsterdam is suspended by Ada’s pause at 08:10',
    ],
    [
      { status: 'SUSPENDED', by: null, updatedAt: '2026-11-23T07:10:00Z' },
      'The run of 1 Dec 09:00 Amsterdam is suspended by a pause at 08:10',
    ],
    [
      { status: 'FAILED', action: 'PAUSE', failureReason: 'The flag is archived.' },
      'The pause of 1 Dec 09:00 Amsterdam failed. The flag is archived.',
    ],
  ] as const)('%j: %s', (change, sentence) => {
    expect(scheduleSentence({ ...launch, ...change }, now, amsterdam)).toBe(sentence)
  })

  it.each([
    [[], undefined],
    [
      [
        { ...launch, action: 'PAUSE' },
        { ...launch, status: 'SUSPENDED' },
      ],
      undefined,
    ],
    [[launch], 'The run scheduled for 1 Dec 09:00 is suspended.'],
    [[launch, launch], '2 scheduled runs are suspended.'],
  ] as const)('says what a pause suspends: %#', (pending, words) => {
    expect(suspensionWords(pending)).toBe(words)
  })
})

describe('a time that cannot be set is named with its field', () => {
  it.each([
    [wanted('', '09:00'), 'date', 'Choose a date.'],
    [wanted('2026-12-01', ''), 'time', 'Choose a time.'],
    [wanted('2026-02-31x', '09:00'), 'date', 'This is not a date.'],
    [wanted('2026-11-22', '23:00'), 'date', 'This date is in the past. Choose a later one.'],
    [wanted('2026-11-23', '09:00'), 'time', 'It is 09:00 in Amsterdam. Choose a later time.'],
    [wanted('2028-01-01', '09:00'), 'date', 'Choose a date within a year from now.'],
  ])('%j: %s', (given, field, message) => {
    expect(timeFault(given, now)).toEqual({ field, message })
  })

  it('accepts the next minute, and a date almost a year ahead', () => {
    expect(timeFault(wanted('2026-11-23', '09:01'), now)).toBeUndefined()
    expect(timeFault(wanted('2027-11-23', '09:00'), now)).toBeUndefined()
  })
})

describe('warns where clocks change in between', () => {
  it.each([
    [wanted('2026-12-01', '09:00'), []],
    [wanted('2027-04-01', '09:00', 'UTC'), []],
    [
      wanted('2027-04-01', '09:00'),
      ['Clocks in Amsterdam go forward on 28 Mar. 09:00 is 07:00 UTC then, not 08:00 UTC as today.'],
    ],
    [wanted('2027-03-28', '02:30'), ['Clocks in Amsterdam skip 02:30 on 28 Mar. It happens at 03:30.']],
    [
      wanted('2027-10-31', '02:30'),
      ['Clocks in Amsterdam show 02:30 twice on 31 Oct. It happens the first time, 00:30 UTC.'],
    ],
    [
      wanted('2027-04-05', '09:00', 'Australia/Sydney'),
      ['Clocks in Sydney go back on 4 Apr. 09:00 is 23:00 UTC then, not 22:00 UTC as today.'],
    ],
    [wanted('', ''), []],
    [wanted('2026-01-01', '09:00'), []],
  ])('%j: %j', (given, warnings) => {
    expect(clockWarnings(given, now)).toEqual(warnings)
  })
})

it('the form offers the own zone first, then UTC, each zone once', () => {
  expect(zonesFrom(amsterdam, ['Africa/Cairo', amsterdam, 'UTC'])).toEqual([amsterdam, 'UTC', 'Africa/Cairo'])
  expect(zonesFrom('UTC', ['Africa/Cairo'])).toEqual(['UTC', 'Africa/Cairo'])
})
