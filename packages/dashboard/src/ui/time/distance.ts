const dayMs = 86_400_000

/** Each unit from which distance on it is used. Days count for two months: "in 1 week" is too vague for a launch. */
const units: [unit: Intl.RelativeTimeFormatUnit, ms: number, from: number][] = [
  ['year', 365 * dayMs, 365 * dayMs],
  ['month', 30 * dayMs, 60 * dayMs],
  ['day', dayMs, dayMs],
  ['hour', 3_600_000, 3_600_000],
  ['minute', 60_000, 60_000],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** The distance to a moment in its largest unit: "3 days ago", "in 2 hours", "just now". */
export function distance(time: Date, now: Date): string {
  const ms = time.getTime() - now.getTime()
  const [unit, unitMs] = units.find(([, , from]) => Math.abs(ms) >= from) ?? []
  if (!unit || !unitMs) return ms > 0 ? 'in less than a minute' : 'just now'
  return words.format(Math.round(ms / unitMs), unit)
}

/** The distance to a moment that is over. `now` can be a little before it, because pages read the time twice a minute. */
export const ago = (time: Date, now: Date): string => distance(time > now ? now : time, now)

const shortUnits: Record<string, string> = { year: 'y', month: 'mo', day: 'd', hour: 'h', minute: 'min' }

/** The distance in a narrow column, without its direction: "3 d", "2 h", "now". */
export function shortDistance(time: Date, now: Date): string {
  const ms = Math.abs(time.getTime() - now.getTime())
  const [unit, unitMs] = units.find(([, , from]) => ms >= from) ?? []
  return unit && unitMs ? `${Math.round(ms / unitMs)} ${shortUnits[unit]}` : 'now'
}

/** On which day of something this is, from 1. */
export const dayNumber = (since: string, now: Date): number =>
  Math.max(1, Math.ceil((now.getTime() - Date.parse(since)) / dayMs))
