import { usage } from './problem.ts'
import { durationOf } from './settings.ts'

const isDuration = (text: string) => /^\d+(ms|s|m|h|d)$/.test(text)

/** Reads `--since`: a time in ISO 8601, or how long ago, such as `2h`. */
export function momentOf(text: string, name: string, now: Date): string {
  if (isDuration(text)) return new Date(now.getTime() - durationOf(text, name)).toISOString()
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined
  if (!moment || Number.isNaN(moment.getTime()))
    throw usage(`${name} must be a time such as 2026-12-01T08:00:00Z, or how long ago, such as 2h (got ${text}).`)
  return moment.toISOString()
}

/** Reads `--run`: how long from now, such as `2h`. Leaves a time to the service, which checks its offset. */
export function laterMomentOf(text: string, name: string, now: Date): string {
  if (isDuration(text)) return new Date(now.getTime() + durationOf(text, name)).toISOString()
  // The service wants seconds, and people leave them out.
  return text.replace(/T(\d\d:\d\d)(?=Z|[+-])/, 'T$1:00')
}
