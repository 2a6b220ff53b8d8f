const units: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** The distance to a moment in its largest unit: "3 days ago", "in 2 hours", "just now". */
export function distance(time: Date, now: Date): string {
  const ms = time.getTime() - now.getTime()
  const [unit, unitMs] = units.find(([, each]) => Math.abs(ms) >= each) ?? []
  if (!unit || !unitMs) return ms > 0 ? 'in less than a minute' : 'just now'
  return words.format(Math.round(ms / unitMs), unit)
}

/** The distance to a moment that is over. `now` can be a little before it, because pages read the time twice a minute. */
export const ago = (time: Date, now: Date): string => distance(time > now ? now : time, now)

const shortUnits: Record<string, string> = { year: 'y', month: 'mo', week: 'w', day: 'd', hour: 'h', minute: 'min' }

/** The distance in a narrow column, without its direction: "3 d", "2 h", "now". */
export function shortDistance(time: Date, now: Date): string {
  const ms = Math.abs(time.getTime() - now.getTime())
  const [unit, unitMs] = units.find(([, each]) => ms >= each) ?? []
  return unit && unitMs ? `${Math.round(ms / unitMs)} ${shortUnits[unit]}` : 'now'
}

const dayMs = 86_400_000

/** On which day of something this is, from 1. */
export const dayNumber = (since: string, now: Date): number =>
  Math.max(1, Math.ceil((now.getTime() - Date.parse(since)) / dayMs))

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' })

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** "14:05", in the time zone of the browser. */
export const clockTime = (time: Date): string => clock.format(time)

/** The exact moment, in the reader's time zone. */
export const moment = (time: Date): string => dateAndTime.format(time)

const zoned = (timeZone?: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', ...(timeZone && { timeZone }) })
const [local, utc] = [zoned(), zoned('UTC')]

/** The exact moment in the reader's time zone and in UTC, on a line each. */
export const moments = (time: Date): [local: string, utc: string] => [
  `${local.format(time)} (${local.resolvedOptions().timeZone})`,
  `${utc.format(time)} (UTC)`,
]
