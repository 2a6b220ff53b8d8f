import { dayText } from '../../../ui/time/dates.ts'
import { distance } from '../../../ui/time/distance.ts'
import { clockChange, clockTimeAt, momentOf, zoneName } from '../../../ui/time/zoned-time.ts'
import { counted } from '../../../ui/words/lists.ts'

export type ScheduleAction = 'RUN' | 'PAUSE'

/** What people type. */
export interface WantedTime {
  date: string
  time: string
  timezone: string
}

const dayMs = 86_400_000
const aheadMs = 366 * dayMs

/** What is wrong with the time, by field; undefined if it can be set. */
export function timeFault(
  { date, time, timezone }: WantedTime,
  now: Date,
): { field: 'date' | 'time'; message: string } | undefined {
  if (date === '') return { field: 'date', message: 'Choose a date.' }
  if (time === '') return { field: 'time', message: 'Choose a time.' }
  const at = momentOf({ date, time }, timezone)?.at
  if (!at) return { field: 'date', message: 'This is not a date.' }
  if (at.getTime() - now.getTime() > aheadMs) return { field: 'date', message: 'Choose a date within a year from now.' }
  if (at > now) return undefined
  const isToday = clockTimeAt(now, timezone).date === date
  return isToday
    ? {
        field: 'time',
        message: `It is ${clockTimeAt(now, timezone).time} in ${zoneName(timezone)}. Choose a later time.`,
      }
    : { field: 'date', message: 'This date is in the past. Choose a later one.' }
}

/** "in 8 days, 1 Dec 09:00 Amsterdam, 08:00 UTC": the day in UTC only if it differs, the year only if it is another. */
export function timeWords(at: Date, timezone: string, now: Date): string {
  const [there, utc] = [clockTimeAt(at, timezone), clockTimeAt(at, 'UTC')]
  const year = (date: string) => date.slice(0, 4)
  const isThisYear = year(there.date) === year(clockTimeAt(now, timezone).date)
  const local = `${dayText(there.date, !isThisYear)} ${there.time} ${zoneName(timezone)}`
  const words = `${distance(at, now)}, ${local}`
  if (isUtc(timezone)) return words
  return `${words}, ${utc.date === there.date ? '' : `${dayText(utc.date)} `}${utc.time} UTC`
}

/** "1 Dec 09:00": a moment in a zone, for sentences. */
export function momentWords(at: Date, timezone: string): string {
  const { date, time } = clockTimeAt(at, timezone)
  return `${dayText(date)} ${time}`
}

/** A schedule as the list of a project has it; what a sentence needs of it. */
interface Told {
  action: ScheduleAction
  status: 'PENDING' | 'SUSPENDED' | 'DONE' | 'FAILED' | 'CANCELLED'
  runAt: string
  timezone: string
  updatedAt: string
  failureReason: string | null
  by: { name: string } | null
}

/** What happens by itself, or why it does not: "The run of 1 Dec 09:00 is suspended by Ada’s pause at 23:04". */
export function scheduleSentence(schedule: Told, now: Date, ownZone: string): string {
  const { action, status, timezone, by } = schedule
  const at = new Date(schedule.runAt)
  if (status === 'PENDING') return `${action === 'RUN' ? 'Runs' : 'Pauses'} ${timeWords(at, timezone, now)}`
  const what = `The ${action === 'RUN' ? 'run' : 'pause'} of ${momentWords(at, timezone)} ${zoneName(timezone)}`
  if (status === 'FAILED') return `${what} failed. ${schedule.failureReason ?? ''}`.trim()
  const since = new Date(schedule.updatedAt)
  const { date, time } = clockTimeAt(since, ownZone)
  const when = date === clockTimeAt(now, ownZone).date ? `at ${time}` : `on ${momentWords(since, ownZone)}`
  return `${what} is suspended by ${by ? `${by.name}’s` : 'a'} pause ${when}`
}

/** What a pause suspends: the runs that are still to come. Undefined if there are none. */
export function suspensionWords(
  pending: readonly Pick<Told, 'action' | 'status' | 'runAt' | 'timezone'>[],
): string | undefined {
  const runs = pending.filter(({ action, status }) => action === 'RUN' && status === 'PENDING')
  const [first] = runs
  if (!first) return undefined
  if (runs.length > 1) return `${counted(runs.length, 'scheduled run')} are suspended.`
  return `The run scheduled for ${momentWords(new Date(first.runAt), first.timezone)} is suspended.`
}

/** What a person must know about the clocks on the way to that moment. */
export function clockWarnings(wanted: WantedTime, now: Date): string[] {
  const { date, time, timezone } = wanted
  const found = momentOf(wanted, timezone)
  if (!found || found.at <= now) return []
  const place = zoneName(timezone)
  const { at, kind } = found
  const shown = clockTimeAt(at, timezone).time
  if (kind === 'skipped') return [`Clocks in ${place} skip ${time} on ${dayText(date)}. It happens at ${shown}.`]
  if (kind === 'twice')
    return [
      `Clocks in ${place} show ${time} twice on ${dayText(date)}. It happens the first time, ${clockTimeAt(at, 'UTC').time} UTC.`,
    ]
  const change = clockChange(now, at, timezone)
  if (!change) return []
  const way = change.byMs > 0 ? 'forward' : 'back'
  const asToday = clockTimeAt(new Date(at.getTime() + change.byMs), 'UTC').time
  return [
    `Clocks in ${place} go ${way} on ${dayText(change.day)}. ${time} is ${clockTimeAt(at, 'UTC').time} UTC then, not ${asToday} UTC as today.`,
  ]
}

/** `RUN` is "Run", `PAUSE` is "Pause". */
export const actionWord = (action: ScheduleAction): string => (action === 'RUN' ? 'Run' : 'Pause')

const isUtc = (timezone: string): boolean => ['UTC', 'Etc/UTC'].includes(timezone)
