import type { Data } from '@svc/client'

/** When something runs by itself: a source, a model, a dataset. */
export type Schedule = NonNullable<Data<'/api/v1/projects/{projectId}/catalog/sources/{sourceId}', 'get'>['schedule']>

/** What a form asks for. */
export type ScheduleValues = {
  every: 'NONE' | 'HOUR' | 'DAY' | 'CRON'
  minutes: string
  at: string
  cron: string
  timezone: string
}

/** Minutes and times that are not chosen have a value that can be taken. */
export function scheduleValues(schedule: Schedule | null, zone: string): ScheduleValues {
  const none = { every: 'NONE', minutes: '15', at: '03:15', cron: '15 * * * *', timezone: zone } as const
  if (schedule === null) return none
  const { timezone } = schedule
  if ('cron' in schedule) return { ...none, every: 'CRON', cron: schedule.cron, timezone }
  return schedule.every === 'DAY'
    ? { ...none, every: 'DAY', at: schedule.at, timezone }
    : { ...none, every: 'HOUR', minutes: String(Number(schedule.at.slice(3))), timezone }
}

/** The schedule of a form; undefined while it cannot be one. */
export function scheduleOf({ every, minutes, at, cron, timezone }: ScheduleValues): Schedule | null | undefined {
  switch (every) {
    case 'NONE':
      return null
    case 'HOUR':
      return minutesFault(minutes) ? undefined : { every, at: `00:${minutes.trim().padStart(2, '0')}`, timezone }
    case 'DAY':
      return at === '' ? undefined : { every, at, timezone }
    case 'CRON':
      return cron.trim() === '' ? undefined : { cron: cron.trim(), timezone }
  }
}

const minutesFault = (text: string): string | undefined =>
  /^\s*[0-5]?\d\s*$/.test(text) ? undefined : 'Enter a whole number from 0 to 59.'

/** Checks before the service is called. */
export const scheduleRules = {
  minutes: (text: string, { every }: ScheduleValues) => (every === 'HOUR' ? minutesFault(text) : undefined),
  at: (text: string, { every }: ScheduleValues) => (every === 'DAY' && text === '' ? 'Enter a time.' : undefined),
  cron: (text: string, { every }: ScheduleValues) =>
    every === 'CRON' && text.trim() === '' ? 'Enter a pattern.' : undefined,
}

/** The input that an issue of the service with a schedule is about. */
export const scheduleInput = ({ every }: ScheduleValues): string | undefined =>
  ({ HOUR: 'minutes', DAY: 'at', CRON: 'cron', NONE: undefined })[every]

/** The fields in a conflict. */
export const scheduleLabels: Record<keyof ScheduleValues, string> = {
  every: 'When it runs',
  minutes: 'The minutes past the hour',
  at: 'The time',
  cron: 'The pattern',
  timezone: 'The time zone',
}

const everies = { NONE: 'Never by itself', HOUR: 'Every hour', DAY: 'Every day', CRON: 'By a pattern' }

export const everyInWords = (every: ScheduleValues['every']): string => everies[every]
