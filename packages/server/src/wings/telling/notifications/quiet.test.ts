import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { daysOfWeek, type QuietHours } from '../../people/organizations/index.ts'
import { dueAfter, type Times, type Wanted } from './quiet.ts'

const amsterdam: QuietHours = { from: '22:00', to: '07:00', days: ['SAT', 'SUN'], timezone: 'Europe/Amsterdam' }
const times = (
  quietHours: QuietHours | null = amsterdam,
  digestAt = '09:00',
  digestTimezone: string | null = null,
): Times => ({ quietHours, digestAt, digestTimezone })
const quiet: Wanted = { digest: 'NONE', quietHours: true }
const after = (at: string, wanted: Wanted, set = times()) => dueAfter(new Date(at), wanted, set).toISOString()

// 27 November 2026 is a Friday, and Amsterdam is an hour ahead of UTC.
describe('a daily digest', () => {
  test.each<[string, QuietHours | null, string | null, string]>([
    ['in its own time zone, without quiet hours', null, 'Asia/Tokyo', '2026-11-27T00:00:00.000Z'],
    ['in its own time zone, with quiet hours', amsterdam, 'Asia/Tokyo', '2026-11-27T00:00:00.000Z'],
    ['in that of the quiet hours', amsterdam, null, '2026-11-27T08:00:00.000Z'],
    ['in UTC otherwise', null, null, '2026-11-27T09:00:00.000Z'],
  ])('goes out %s', (_, hours, zone, due) => {
    expect(after('2026-11-26T12:00:00.000Z', { digest: 'DAILY', quietHours: false }, times(hours, '09:00', zone))).toBe(
      due,
    )
  })
})

describe('quiet hours', () => {
  test.each([
    ['by day: at once', '2026-11-27T12:00:00.000Z', '2026-11-27T12:00:00.000Z'],
    ['in the last minute before: at once', '2026-11-26T20:59:59.999Z', '2026-11-26T20:59:59.999Z'],
    ['in the first minute: until the morning', '2026-11-26T21:00:00.000Z', '2026-11-27T06:00:00.000Z'],
    ['after midnight: until the morning', '2026-11-26T23:30:00.000Z', '2026-11-27T06:00:00.000Z'],
    ['at their end: at once', '2026-11-27T06:00:00.000Z', '2026-11-27T06:00:00.000Z'],
    ['on a Friday night: until Monday morning', '2026-11-27T21:30:00.000Z', '2026-11-30T06:00:00.000Z'],
    ['on a Sunday: until Monday morning, not midnight', '2026-11-29T12:00:00.000Z', '2026-11-30T06:00:00.000Z'],
    ['in the night of the clock going forward', '2026-03-28T23:30:00.000Z', '2026-03-30T05:00:00.000Z'],
  ])('%s', (_, at, due) => {
    expect(after(at, quiet)).toBe(due)
  })

  it('have no effect on a destination that ignores them', () => {
    expect(after('2026-11-26T22:00:00.000Z', { ...quiet, quietHours: false })).toBe('2026-11-26T22:00:00.000Z')
  })

  it('can be a span within one day', () => {
    const lunch = { ...amsterdam, from: '12:00', to: '13:30', days: [] }
    expect(after('2026-11-27T11:45:00.000Z', quiet, times(lunch))).toBe('2026-11-27T12:30:00.000Z')
    expect(after('2026-11-27T12:30:00.000Z', quiet, times(lunch))).toBe('2026-11-27T12:30:00.000Z')
  })

  it('end in the hour that comes twice, not a day later', () => {
    const night = times({ ...amsterdam, from: '23:00', to: '02:30', days: [] })
    expect(after('2026-10-25T00:10:00.000Z', quiet, night)).toBe('2026-10-25T00:30:00.000Z')
    expect(after('2026-10-25T01:10:00.000Z', quiet, night)).toBe('2026-10-25T01:30:00.000Z')
  })

  test.each([
    ['Asia/Kathmandu', '2026-11-27T17:00:00.000Z', '2026-11-28T01:15:00.000Z'],
    ['America/New_York', '2026-11-27T03:30:00.000Z', '2026-11-27T12:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-11-27T12:00:00.000Z', '2026-11-27T20:00:00.000Z'],
  ])('end at seven in %s', (timezone, at, due) => {
    expect(after(at, quiet, times({ ...amsterdam, days: [], timezone }))).toBe(due)
  })

  it('end after the hour that a change of the clock skips', () => {
    const night = { ...amsterdam, from: '23:00', to: '02:30', days: [] }
    const due = new Date(after('2026-03-28T23:00:00.000Z', quiet, times(night))).getTime()
    expect(due).toBeGreaterThanOrEqual(Date.parse('2026-03-29T01:00:00.000Z'))
    expect(due).toBeLessThanOrEqual(Date.parse('2026-03-29T01:30:00.000Z'))
  })
})

describe('a digest', () => {
  const daily: Wanted = { digest: 'DAILY', quietHours: false }
  test.each([
    [
      'hourly: at the next hour',
      { ...daily, digest: 'HOURLY' as const },
      '2026-11-27T12:10:00.000Z',
      '2026-11-27T13:00:00.000Z',
    ],
    [
      'hourly, at the hour itself',
      { ...daily, digest: 'HOURLY' as const },
      '2026-11-27T13:00:00.000Z',
      '2026-11-27T13:00:00.000Z',
    ],
    [
      'daily: in the morning, by the zone of the organization',
      daily,
      '2026-11-27T12:10:00.000Z',
      '2026-11-28T08:00:00.000Z',
    ],
    ['daily, before the morning', daily, '2026-11-27T07:10:00.000Z', '2026-11-27T08:00:00.000Z'],
    [
      'daily, when a quiet day follows',
      { ...daily, quietHours: true },
      '2026-11-27T12:10:00.000Z',
      '2026-11-30T06:00:00.000Z',
    ],
  ])('%s', (_, wanted, at, due) => {
    expect(after(at, wanted)).toBe(due)
  })

  it('is in UTC without quiet hours', () => {
    expect(after('2026-11-27T12:10:00.000Z', daily, times(null, '14:30'))).toBe('2026-11-27T14:30:00.000Z')
  })

  it('is at the same hour of the day after the clock has changed', () => {
    expect(after('2026-10-24T12:00:00.000Z', daily)).toBe('2026-10-25T08:00:00.000Z')
    expect(after('2026-10-23T12:00:00.000Z', daily)).toBe('2026-10-24T07:00:00.000Z')
  })
})

it('is never early, never long, and never in quiet hours', () => {
  const time = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
    const two = (part: number) => String(part).padStart(2, '0')
    return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  })
  const spans = fc
    .record({
      from: time,
      to: time,
      days: fc.uniqueArray(fc.constantFrom(...daysOfWeek), { maxLength: 6 }),
      timezone: fc.constantFrom('UTC', 'Europe/Amsterdam', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'),
    })
    .filter(({ from, to }) => from !== to)
  const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(spans, moments, fc.constantFrom('NONE', 'HOURLY', 'DAILY'), (hours, at, digest) => {
      const due = dueAfter(at, { digest, quietHours: true }, times(hours))
      expect(due.getTime()).toBeGreaterThanOrEqual(at.getTime())
      expect(due.getTime() - at.getTime()).toBeLessThan(9 * 86_400_000)
      const clock = new Date(due.toLocaleString('en-US', { timeZone: hours.timezone }))
      const shown = `${String(clock.getHours()).padStart(2, '0')}:${String(clock.getMinutes()).padStart(2, '0')}`
      const { from, to, days } = hours
      const isQuiet = from < to ? shown >= from && shown < to : shown >= from || shown < to
      const day = daysOfWeek[(clock.getDay() + 6) % 7]!
      expect([shown, day, isQuiet || days.includes(day)]).toEqual([shown, day, false])
    }),
    { numRuns: 300 },
  )
})
