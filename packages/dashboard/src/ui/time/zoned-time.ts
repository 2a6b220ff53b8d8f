const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** A date and a time of day as native inputs hold them: "2026-12-01", "09:00". */
export interface ClockTime {
  date: string
  time: string
}

/**
 * The moment at which clocks in a zone show this date and time; undefined if the texts are not a date and a time. Where
 * clocks skip the time (`skipped`), it is as much later as they skip. Where they show it twice (`twice`), it is the first.
 */
export function momentOf(
  { date, time }: ClockTime,
  zone: string,
): { at: Date; kind: 'once' | 'twice' | 'skipped' } | undefined {
  const asUtc = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(asUtc)) return undefined
  // No zone changes its clock twice within two days.
  const [before, after] = [offsetMs(asUtc - dayMs, zone), offsetMs(asUtc + dayMs, zone)]
  const [first, second] = [asUtc - Math.max(before, after), asUtc - Math.min(before, after)]
  const isShown = (at: number) => at + offsetMs(at, zone) === asUtc
  if (isShown(first)) return { at: new Date(first), kind: first !== second && isShown(second) ? 'twice' : 'once' }
  if (isShown(second)) return { at: new Date(second), kind: 'once' }
  return { at: new Date(asUtc - before), kind: 'skipped' }
}

/** What clocks in a zone show at a moment. */
export function clockTimeAt(at: Date, zone: string): ClockTime {
  const [date, time] = new Date(at.getTime() + offsetMs(at.getTime(), zone)).toISOString().split('T') as [
    string,
    string,
  ]
  return { date, time: time.slice(0, 5) }
}

/** The same for the text of one input, as in "2026-12-01T09:00". */
export function momentIn(local: string, zone: string): Date | undefined {
  const [date = '', time = ''] = local.split('T')
  return momentOf({ date, time }, zone)?.at
}

export function localIn(at: Date, zone: string): string {
  const { date, time } = clockTimeAt(at, zone)
  return `${date}T${time}`
}

/** The last change of the clocks between two moments, if they differ at the end; `day` is its date in the zone. */
export function clockChange(from: Date, to: Date, zone: string): { day: string; byMs: number } | undefined {
  const [start, end] = [offsetMs(from.getTime(), zone), offsetMs(to.getTime(), zone)]
  if (start === end) return undefined
  let at = to.getTime()
  while (at > from.getTime() && offsetMs(at, zone) === end) at -= dayMs
  // Between `at` and a day later: halve until it is one minute.
  let [old, changed] = [Math.max(at, from.getTime()), Math.min(at + dayMs, to.getTime())]
  while (changed - old > 60_000) {
    const middle = old + Math.floor((changed - old) / 2)
    if (offsetMs(middle, zone) === end) changed = middle
    else old = middle
  }
  return { day: clockTimeAt(new Date(changed), zone).date, byMs: end - offsetMs(old, zone) }
}

/** "Amsterdam" of "Europe/Amsterdam". */
export const zoneName = (zone: string): string => zone.split('/').at(-1)!.replaceAll('_', ' ')

/** How far the clocks of a zone are ahead of UTC at a moment. */
function offsetMs(at: number, zone: string): number {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = 'numeric'
  const fields = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const
  const format = new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone })
  formats.set(timeZone, format)
  return format
}

/** The zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
