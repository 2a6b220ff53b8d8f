import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clockTime, dayText, moment, moments, ownDay, timeRange, utcMoment } from './dates.ts'

/** What clocks of this machine show then. */
const at = (date: string, clock: string): Date => new Date(`${date}T${clock}`)

it.each([
  [dayText('2026-12-01'), '1 Dec'],
  [dayText('2026-09-30T23:30:00.000Z'), '30 Sep'],
  [dayText('2027-01-05', true), '5 Jan 2027'],
  [clockTime(at('2026-12-01', '09:05:59')), '09:05'],
  [ownDay(at('2026-12-01', '23:59:00')), '1 Dec 2026'],
  [moment(at('2026-07-01', '00:00:00')), '1 Jul 2026 00:00'],
  [timeRange(at('2026-12-01', '09:00:00'), at('2026-12-01', '14:00:00')), '1 Dec 2026 09:00 to 14:00'],
  [timeRange(at('2026-12-31', '09:00:00'), at('2027-01-01', '09:00:00')), '31 Dec 2026 09:00 to 1 Jan 2027 09:00'],
  [utcMoment(new Date('2026-12-01T09:00:00.000Z')), '1 Dec 2026 09:00 UTC'],
  [moments(new Date('2026-12-01T09:00:07.000Z'))[1], '1 Dec 2026 09:00:07 (UTC)'],
])('a date in one form: %s', (text, expected) => {
  expect(text).toBe(expected)
})

const source = `${import.meta.dirname}/../..`
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !name.includes('.test.') && !name.startsWith('ui/time/'),
)

it('no page writes dates or asks for them in its own way', () => {
  const own = /toLocale(Date|Time)String|Intl\.DateTimeFormat|<(TextInput|input)\s[^>]*type="(date|time)"/
  const found = files.filter((name) => own.test(readFileSync(`${source}/${name}`, 'utf8')))
  expect(found, 'use ui/time/dates.ts and ui/time/date-input.tsx').toEqual([])
})
