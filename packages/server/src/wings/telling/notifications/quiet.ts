import { Cron } from 'croner'
import type { QuietHours } from '../../people/organizations/index.ts'

/** What an organization has set. */
export interface Times {
  quietHours: QuietHours | null
  /** When daily digests go out: `HH:MM`. */
  digestAt: string
  /** Null means the time zone of the quiet hours, or UTC without quiet hours. */
  digestTimezone: string | null
}

/** How a destination wants to hear. */
export interface Wanted {
  digest: 'NONE' | 'HOURLY' | 'DAILY'
  quietHours: boolean
}

/**
 * When a destination may hear what happened at a moment: at the time of its digest, and not in quiet hours. Spans can
 * follow each other, for example a night after a quiet day.
 */
export function dueAfter(
  at: Date,
  { digest, quietHours }: Wanted,
  { quietHours: quiet, digestAt, digestTimezone }: Times,
): Date {
  const timezone = digestTimezone ?? quiet?.timezone ?? 'UTC'
  const told = digest === 'NONE' ? at : next(at, digest === 'HOURLY' ? '0 * * * *' : everyDayAt(digestAt), timezone)
  return quietHours && quiet ? endOf(quiet, told) : told
}

/** A week of quiet spans and days has fewer ends. */
const spansMax = 20

function endOf(quiet: QuietHours, at: Date): Date {
  let end = at
  for (let spans = 0; spans < spansMax; spans += 1) {
    const { weekday, minutes } = localTime(end, quiet.timezone)
    if (quiet.days.includes(weekday)) end = nextAfter(end, '0 0 * * *', quiet.timezone)
    else if (isWithin(minutes, quiet)) end = endOfSpan(quiet, end, minutes)
    else return end
  }
  return end
}

const minuteMs = 60_000
/** No change of a clock is larger. */
const changeMs = 2 * 60 * minuteMs

/**
 * The first minute after a moment that is outside of the span. It is looked for around the time that a clock without
 * changes would show: an hour of an autumn night comes twice, and one of a spring night never.
 */
function endOfSpan(quiet: QuietHours, at: Date, minutes: number): Date {
  const from = Math.floor(at.getTime() / minuteMs) * minuteMs
  const expected = from + ((minutesOf(quiet.to) - minutes + 1440) % 1440) * minuteMs
  let end = Math.max(from + minuteMs, expected - changeMs)
  while (isWithin(localTime(new Date(end), quiet.timezone).minutes, quiet)) end += minuteMs
  return new Date(end)
}

function isWithin(minutes: number, { from, to }: QuietHours): boolean {
  const [start, end] = [minutesOf(from), minutesOf(to)]
  return start < end ? minutes >= start && minutes < end : minutes >= start || minutes < end
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const everyDayAt = (time: string): string => `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * *`

/** The first moment of a pattern that is not before `at`. */
const next = (at: Date, pattern: string, timezone: string): Date =>
  nextAfter(new Date(at.getTime() - 1), pattern, timezone)

/** Where a change to daylight saving time skips the moment, it is the first one after the gap. */
const nextAfter = (at: Date, pattern: string, timezone: string): Date =>
  new Cron(pattern, { timezone, paused: true }).nextRun(at) ?? at

const formats = new Map<string, Intl.DateTimeFormat>()

function localTime(at: Date, timeZone: string) {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return {
    weekday: parts.weekday!.toUpperCase() as QuietHours['days'][number],
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  }
}
