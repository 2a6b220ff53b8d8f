import { zoneName } from '../../../ui/time/zoned-time.ts'
import type { Schedule } from './schedule-values.ts'

/** "Every hour at 15 minutes past", "Every day at 03:15 (Amsterdam)". */
export function scheduleInWords(schedule: Schedule | null): string {
  if (schedule === null) return 'Only when someone asks for it'
  if ('cron' in schedule) return `By the pattern ${schedule.cron} (${zoneName(schedule.timezone)})`
  if (schedule.every === 'DAY') return `Every day at ${schedule.at} (${zoneName(schedule.timezone)})`
  const minutes = Number(schedule.at.slice(3))
  return minutes === 0
    ? 'Every hour, on the hour'
    : `Every hour at ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} past`
}
