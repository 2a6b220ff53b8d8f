import { durationOf } from '../files/settings.ts'
import { usage } from '../problem.ts'

const isDuration = (text: string) => /^\d+(ms|s|m|h|d)$/.test(text)

/** Reads `--since`: a time in ISO 8601, or how long ago, such as `2h`. */
export function momentOf(text: string, name: string, now: Date): string {
  if (isDuration(text)) return new Date(now.getTime() - durationOf(text, name)).toISOString()
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined
  if (!moment || Number.isNaN(moment.getTime()))
    throw usage(`${name} must be a time such as 2026-12-01T08:00:00Z, or how long ago, such as 2h (got ${text}).`)
  return moment.toISOString()
}

const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?$/

/**
 * Reads `--run`: how long from now, such as `2h`, or a time of a zone. Leaves a time with an offset to the service, which
 * checks it.
 */
export function laterMomentOf(text: string, name: string, now: Date, zone?: string): string {
  if (isDuration(text)) return new Date(now.getTime() + durationOf(text, name)).toISOString()
  const [, day, minute, second = ':00'] = local.exec(text) ?? []
  if (day === undefined) {
    // The service wants a T and seconds, and people leave them out.
    return text.replace(/^(\d{4}-\d{2}-\d{2})[T ](\d\d:\d\d)(?=Z|[+-])/, '$1T$2:00')
  }
  const written = `${day}T${minute}${second}`
  if (zone === undefined)
    throw usage(`${name} must have an offset, such as ${written}+01:00, or a --timezone (got ${text}).`)
  return momentIn(zone, written, `${name} ${text}`)
}

/** The moment at which clocks of a zone show a time. Twice a year, there is none or there are two. */
function momentIn(zone: string, written: string, given: string): string {
  const shown = Date.parse(`${written}Z`)
  if (Number.isNaN(shown) || new Date(shown).toISOString().slice(0, written.length) !== written)
    throw usage(`${given} must be a time such as 2026-12-01 09:00.`)
  const dayMs = 86_400_000
  const [before, after] = [offsetMs(zone, shown - dayMs), offsetMs(zone, shown + dayMs)]
  const moments = [...new Set([before, after])].flatMap((offset) => {
    const moment = shown - offset
    return offsetMs(zone, moment) === offset ? [moment] : []
  })
  const [moment, other] = moments
  if (moment === undefined)
    throw usage(
      `${given} does not exist in ${zone}: clocks go from ${inHours(before)} to ${inHours(after)} then. Use an earlier or later time, or an offset.`,
    )
  if (other === undefined) return new Date(moment).toISOString()
  throw usage(
    `${given} occurs twice in ${zone}, because clocks go back: use ${written}${inHours(before)} for the first, or ${written}${inHours(after)} for the second.`,
  )
}

function offsetMs(zone: string, moment: number): number {
  let text: string
  try {
    text = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(moment)
  } catch {
    throw usage(`--timezone must be a time zone such as Europe/Amsterdam (got ${zone}).`)
  }
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function inHours(offset: number): string {
  const minutes = Math.abs(offset) / 60_000
  const two = (number: number) => String(number).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
