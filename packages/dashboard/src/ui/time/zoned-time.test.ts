import { describe, expect, it } from 'vitest'
import { clockChange, clockTimeAt, localIn, momentIn, momentOf, zoneName } from './zoned-time.ts'

describe('a date and a time in a zone', () => {
  it.each([
    ['2026-12-01', '09:00', 'Europe/Amsterdam', '2026-12-01T08:00:00.000Z', 'once'],
    ['2026-07-01', '09:00', 'Europe/Amsterdam', '2026-07-01T07:00:00.000Z', 'once'],
    ['2026-12-01', '09:00', 'UTC', '2026-12-01T09:00:00.000Z', 'once'],
    ['2026-12-01', '00:30', 'Asia/Kolkata', '2026-11-30T19:00:00.000Z', 'once'],
    ['2026-12-31', '23:59', 'Pacific/Kiritimati', '2026-12-31T09:59:00.000Z', 'once'],
    ['2026-12-31', '23:59', 'Pacific/Pago_Pago', '2027-01-01T10:59:00.000Z', 'once'],
    // Clocks go from 02:00 to 03:00.
    ['2027-03-28', '01:59', 'Europe/Amsterdam', '2027-03-28T00:59:00.000Z', 'once'],
    ['2027-03-28', '02:30', 'Europe/Amsterdam', '2027-03-28T01:30:00.000Z', 'skipped'],
    ['2027-03-28', '03:00', 'Europe/Amsterdam', '2027-03-28T01:00:00.000Z', 'once'],
    ['2027-03-14', '02:30', 'America/New_York', '2027-03-14T07:30:00.000Z', 'skipped'],
    // Clocks go from 03:00 to 02:00.
    ['2026-10-25', '01:59', 'Europe/Amsterdam', '2026-10-24T23:59:00.000Z', 'once'],
    ['2026-10-25', '02:30', 'Europe/Amsterdam', '2026-10-25T00:30:00.000Z', 'twice'],
    ['2026-10-25', '03:00', 'Europe/Amsterdam', '2026-10-25T02:00:00.000Z', 'once'],
    // Clocks change by half an hour.
    ['2027-04-04', '01:45', 'Australia/Lord_Howe', '2027-04-03T14:45:00.000Z', 'twice'],
  ])('%s %s in %s is %s, %s', (date, time, zone, at, kind) => {
    expect(momentOf({ date, time }, zone)).toEqual({ at: new Date(at), kind })
  })

  it.each([
    ['', '09:00'],
    ['2026-12-01', ''],
    ['2026-13-01', '09:00'],
    ['tomorrow', 'noon'],
  ])('is no moment if it is %j %j', (date, time) => {
    expect(momentOf({ date, time }, 'UTC')).toBeUndefined()
  })

  it('comes back from the moment', () => {
    const zones = ['UTC', 'Europe/Amsterdam', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham']
    for (const zone of zones)
      for (let hour = 0; hour < 366 * 24; hour += 37) {
        const at = new Date(Date.UTC(2026, 0, 1, hour, 11))
        const shown = clockTimeAt(at, zone)
        const again = momentOf(shown, zone)!
        expect([zone, clockTimeAt(again.at, zone)]).toEqual([zone, shown])
        if (again.kind === 'once') expect(again.at).toEqual(at)
      }
  })
})

describe('a change of the clocks between two moments', () => {
  it.each([
    ['2026-11-23', '2026-12-01', 'Europe/Amsterdam', undefined],
    ['2026-11-23', '2027-04-01', 'Europe/Amsterdam', { day: '2027-03-28', byMs: 3_600_000 }],
    ['2026-10-01', '2026-11-23', 'Europe/Amsterdam', { day: '2026-10-25', byMs: -3_600_000 }],
    ['2026-10-24T22:00Z', '2026-10-25T02:00Z', 'Europe/Amsterdam', { day: '2026-10-25', byMs: -3_600_000 }],
    // Twice in between: it is as late as today.
    ['2026-03-01', '2026-11-23', 'Europe/Amsterdam', undefined],
    ['2026-11-23', '2027-04-01', 'Asia/Kolkata', undefined],
    ['2027-04-01', '2027-04-10', 'Australia/Lord_Howe', { day: '2027-04-04', byMs: -1_800_000 }],
  ])('from %s to %s in %s: %j', (from, to, zone, change) => {
    expect(clockChange(new Date(from), new Date(to), zone)).toEqual(change)
  })
})

it.each([
  ['Europe/Amsterdam', 'Amsterdam'],
  ['America/Argentina/Buenos_Aires', 'Buenos Aires'],
  ['UTC', 'UTC'],
])('%s is called %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name)
})

it.each([
  ['2026-11-20T14:05', 'UTC', '2026-11-20T14:05:00.000Z'],
  ['2026-11-20T14:05', 'Europe/Amsterdam', '2026-11-20T13:05:00.000Z'],
  ['2026-07-20T14:05', 'Europe/Amsterdam', '2026-07-20T12:05:00.000Z'],
  ['2026-10-25T00:30', 'Europe/Amsterdam', '2026-10-24T22:30:00.000Z'],
  ['2026-10-25T04:00', 'Europe/Amsterdam', '2026-10-25T03:00:00.000Z'],
  ['2026-01-01T00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
])('%s in %s is %s', (local, zone, moment) => {
  expect(momentIn(local, zone)?.toISOString()).toBe(moment)
  expect(localIn(new Date(moment), zone)).toBe(local)
})

it('an empty time gives no moment', () => expect(momentIn('', 'UTC')).toBeUndefined())
