import { usage } from './problem.ts'
import { durationOf } from './settings.ts'

/** Reads `--since`: a time in ISO 8601, or how long ago, such as `2h`. */
export function momentOf(text: string, name: string, now: Date): string {
  if (/^\d+(ms|s|m|h|d)$/.test(text)) return new Date(now.getTime() - durationOf(text, name)).toISOString()
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined
  if (!moment || Number.isNaN(moment.getTime()))
    throw usage(`${name} must be a time such as 2026-12-01T08:00:00Z, or how long ago, such as 2h (got ${text}).`)
  return moment.toISOString()
}
