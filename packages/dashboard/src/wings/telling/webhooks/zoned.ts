/** The moment that a clock in this zone shows as `2026-11-20T14:05`; undefined if this is no time. */
export function momentIn(local: string, timeZone: string): Date | undefined {
  const wall = Date.parse(`${local}Z`)
  if (Number.isNaN(wall)) return undefined
  // The offset of a moment near by can differ where the clocks change; the second look settles it.
  const first = wall - offsetMs(new Date(wall), timeZone)
  return new Date(wall - offsetMs(new Date(first), timeZone))
}

/** What a clock in this zone shows at a moment: `2026-11-20T14:05`. */
export const localIn = (moment: Date, timeZone: string): string =>
  new Date(moment.getTime() + offsetMs(moment, timeZone)).toISOString().slice(0, 16)

function offsetMs(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(moment.getTime() / 1000) * 1000
}
