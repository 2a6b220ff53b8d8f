import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { brokenRules, notingFields } from '../issue-text.ts'
import { nextSlot, overdueAt, type Schedule, scheduleField } from './schedule.ts'

const field = scheduleField.nullable()
const hourly = (at: string, timezone = 'UTC'): Schedule => ({ every: 'HOUR', at, timezone })
const daily = (at: string, timezone = 'UTC'): Schedule => ({ every: 'DAY', at, timezone })
const cron = (text: string, timezone = 'UTC'): Schedule => ({ cron: text, timezone })
const slots = (schedule: Schedule, after: string, count: number) => {
  const found: string[] = []
  for (let at = new Date(after); found.length < count; ) {
    at = nextSlot(schedule, at)
    found.push(at.toISOString().slice(0, 16))
  }
  return found
}

describe('a schedule', () => {
  test.each([
    [null, null],
    [
      { every: 'DAY', at: '03:15' },
      { every: 'DAY', at: '03:15', timezone: 'UTC' },
    ],
    [hourly('23:59', 'Asia/Kathmandu'), hourly('23:59', 'Asia/Kathmandu')],
    [cron('*/5 * * * *'), cron('*/5 * * * *')],
    [cron('0,55 23,0 * * MON-FRI'), cron('0,55 23,0 * * MON-FRI')],
    [cron('0 0 29 2 *'), cron('0 0 29 2 *')],
  ])('can be %j', (written, read) => {
    expect(field.parse(written)).toEqual(read)
  })

  const notCron = 'Must be a cron pattern of five fields, such as 15 * * * *.'
  const tooOften = 'Must leave at least 5 minutes between two runs, also around midnight.'
  test.each([
    [{}, 'cron', 'is required'],
    [{ every: 'HOUR' }, 'at', 'is required'],
    [{ every: 'WEEK', at: '03:15' }, 'every', 'must be one of HOUR, DAY (got "WEEK")'],
    [{ every: 'DAY', at: '24:00' }, 'at', 'Must be a time such as 03:15.'],
    [{ every: 'DAY', at: '3:15' }, 'at', 'Must be a time such as 03:15.'],
    [daily('03:15', '+02:00'), 'timezone', 'Must be the name of a time zone, such as Europe/Amsterdam.'],
    [{ ...daily('03:15'), minute: 3 }, 'minute', 'is not a known field'],
    [cron('15 * * * *', 'Mars'), 'timezone', 'Must be the name of a time zone, such as Europe/Amsterdam.'],
    [cron(''), 'cron', notCron],
    [cron('@hourly'), 'cron', notCron],
    [cron('? * * * *'), 'cron', notCron],
    [cron('0 * * * * *'), 'cron', notCron],
    [cron('61 * * * *'), 'cron', notCron],
    [cron('0 0 * *\t*'), 'cron', notCron],
    [cron('0 0 31 2 *'), 'cron', 'Must have a day that exists.'],
    [cron('* * * * *'), 'cron', tooOften],
    [cron('*/4 3 1 1 *'), 'cron', tooOften],
    [cron('0,4 * * * *'), 'cron', tooOften],
    [cron('58,2 * * * *'), 'cron', tooOften],
    [cron('58,2 23,0 * * *'), 'cron', tooOften],
    [cron(`${'0,'.repeat(100)}0 * * * *`), 'cron', 'must have at most 100 characters'],
  ])('cannot be %j: %s', (written, path, message) => {
    const { error } = field.safeParse(written, { error: notingFields })
    expect(brokenRules(error!.issues, { document: written, kind: 'field' })).toEqual([{ path: [path], message }])
  })
})

describe('slots', () => {
  const amsterdam = 'Europe/Amsterdam'
  test.each<[string, Schedule, string, string[]]>([
    ['of an hour', hourly('07:15'), '2026-11-20T08:15', ['2026-11-20T09:15', '2026-11-20T10:15']],
    ['of a day', daily('03:15'), '2026-11-20T03:14', ['2026-11-20T03:15', '2026-11-21T03:15']],
    ['in a zone', daily('03:15', amsterdam), '2026-11-20T03:15', ['2026-11-21T02:15', '2026-11-22T02:15']],
    ['in a zone of half hours', hourly('00:15', 'Asia/Kathmandu'), '2026-11-20T08:00', ['2026-11-20T08:30']],
    ['of a pattern', cron('30 6 * * 1'), '2026-11-20T08:15', ['2026-11-23T06:30', '2026-11-30T06:30']],
    [
      'of a day whose hour a spring night skips',
      daily('02:15', amsterdam),
      '2026-03-28T12:00',
      ['2026-03-29T01:00', '2026-03-30T00:15'],
    ],
    [
      'of a day whose hour an autumn night has twice',
      daily('02:15', amsterdam),
      '2026-10-24T12:00',
      ['2026-10-25T00:15', '2026-10-26T01:15'],
    ],
    [
      'of the hours of a spring night',
      hourly('00:15', amsterdam),
      '2026-03-29T00:00',
      ['2026-03-29T00:15', '2026-03-29T01:15', '2026-03-29T02:15'],
    ],
    [
      'of the hours of an autumn night',
      hourly('00:15', amsterdam),
      '2026-10-25T00:00',
      ['2026-10-25T00:15', '2026-10-25T01:15', '2026-10-25T02:15'],
    ],
    [
      'of the hours of a night that is half an hour longer',
      hourly('00:15', 'Australia/Lord_Howe'),
      '2026-04-04T14:00',
      ['2026-04-04T14:15', '2026-04-04T15:45', '2026-04-04T16:45'],
    ],
  ])('%s', (_name, schedule, after, expected) => {
    expect(slots(schedule, `${after}:00.000Z`, expected.length)).toEqual(expected)
  })

  const zones = ['UTC', amsterdam, 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia']
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
  const moment = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2030-01-01'),
    noInvalidDate: true,
  })

  it('are later than the moment, on a whole minute, and never far away', () => {
    const schedule = fc.record({ every: fc.constantFrom('HOUR', 'DAY'), at: time, timezone: fc.constantFrom(...zones) })
    fc.assert(
      fc.property(schedule, moment, (wanted, after) => {
        const slot = nextSlot(wanted, after)
        const mostHours = wanted.every === 'HOUR' ? 2 : 26
        expect(slot.getTime()).toBeGreaterThan(after.getTime())
        expect(slot.getTime() - after.getTime()).toBeLessThanOrEqual(mostHours * 3_600_000)
        expect(slot.getTime() % 60_000).toBe(0)
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})

test.each<[string, Schedule, string, string]>([
  ['an hourly one after a day', hourly('00:15'), '2026-11-20T08:16', '2026-11-21T08:16'],
  ['a daily one when the third slot is late', daily('03:15'), '2026-11-20T03:25', '2026-11-23T03:20'],
  ['one of working days not on a Monday', cron('0 9 * * 1-5'), '2026-11-20T09:10', '2026-11-25T09:05'],
  ['a yearly one after three years', cron('0 0 1 1 *'), '2026-11-20T00:00', '2029-01-01T00:05'],
])('without a success, %s is overdue', (_name, schedule, since, expected) => {
  expect(overdueAt(schedule, new Date(`${since}Z`))).toEqual(new Date(`${expected}Z`))
})
