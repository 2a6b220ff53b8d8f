import { Cron } from 'croner'
import type { Schedule } from './schedule-values.ts'

/** The next moment at which a run begins by itself; undefined if a pattern is not finished or has none. */
export function nextRun(schedule: Schedule, after: Date): Date | undefined {
  try {
    const pattern = new Cron(patternOf(schedule), { timezone: schedule.timezone, paused: true, mode: '5-part' })
    return pattern.nextRun(after) ?? undefined
  } catch {
    return undefined
  }
}

function patternOf(schedule: Schedule): string {
  if ('cron' in schedule) return schedule.cron
  const [hour, minute] = schedule.at.split(':').map(Number)
  return `${minute} ${schedule.every === 'HOUR' ? '*' : hour} * * *`
}
