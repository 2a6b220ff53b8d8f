// Dates in one form on every page: "1 Dec", "1 Dec 2026", "1 Dec 2026 09:00". They are put together here, because what
// Intl writes differs from browser to browser: its British September is "Sep" in one and "Sept" in the next.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The same moment as clocks of the browser show it, to be read with the functions of UTC. */
const asShown = (time: Date): Date => new Date(time.getTime() - time.getTimezoneOffset() * 60_000)

const dayIn = (shown: Date, withYear: boolean): string =>
  `${shown.getUTCDate()} ${months[shown.getUTCMonth()]}${withYear ? ` ${shown.getUTCFullYear()}` : ''}`

const clockIn = (shown: Date, digits: 5 | 8 = 5): string => shown.toISOString().slice(11, 11 + digits)

/** "1 Dec" of "2026-12-01", and of a moment its day in UTC. */
export const dayText = (date: string, withYear = false): string => dayIn(new Date(date), withYear)

/** "14:05", in the time zone of the browser. */
export const clockTime = (time: Date): string => clockIn(asShown(time))

/** "1 Dec 2026", in the time zone of the browser. */
export const ownDay = (time: Date): string => dayIn(asShown(time), true)

/** "1 Dec 2026 09:00", in the time zone of the browser. */
export const moment = (time: Date): string => `${ownDay(time)} ${clockTime(time)}`

/** "1 Dec 2026 09:00 to 14:00", "1 Dec 2026 09:00 to 2 Dec 2026 08:00": two moments in the time zone of the browser. */
export const timeRange = (from: Date, until: Date): string =>
  `${moment(from)} to ${ownDay(from) === ownDay(until) ? clockTime(until) : moment(until)}`

/** "1 Dec 2026 09:00 UTC". */
export const utcMoment = (time: Date): string => `${dayIn(time, true)} ${clockIn(time)} UTC`

const exact = (shown: Date, zone: string): string => `${dayIn(shown, true)} ${clockIn(shown, 8)} (${zone})`

/** The exact moment in the reader's time zone and in UTC, on a line each: "1 Dec 2026 09:00:00 (Europe/Amsterdam)". */
export const moments = (time: Date): [local: string, utc: string] => [
  exact(asShown(time), Intl.DateTimeFormat().resolvedOptions().timeZone),
  exact(time, 'UTC'),
]
