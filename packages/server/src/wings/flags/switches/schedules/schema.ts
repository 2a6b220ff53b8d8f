import { z } from 'zod'
import { scheduleActionField, type scheduleSchema } from '../../../../catalogue/payloads.ts'
import type { Schedule } from './schedule.ts'

const maxNoteLength = 500
const maxZoneLength = 64

export const scheduleBody = z.strictObject({
  action: scheduleActionField,
  runAt: z.iso
    .datetime({ offset: true })
    .meta({ description: 'ISO 8601 with an offset. Must be in the future, at most a year ahead.' })
    .transform((text) => new Date(text)),
  timezone: z
    .string()
    .max(maxZoneLength)
    .default('UTC')
    .meta({ description: 'IANA time zone to show to people. Only `runAt` decides when the schedule runs.' }),
  note: z.string().max(maxNoteLength).nullable().default(null),
})

export function presentSchedule(schedule: Schedule): z.infer<typeof scheduleSchema> {
  const { runAt, createdAt, updatedAt, ...rest } = schedule
  const times = { runAt: runAt.toISOString(), createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
  return { ...rest, ...times }
}
