import { z } from 'zod'
import { timeField } from '../../../../fields.ts'
import type { Schedule } from './schedule.ts'

const maxNoteLength = 500
const maxZoneLength = 64

const actionField = z.enum(['RUN', 'PAUSE'])

export const scheduleBody = z.strictObject({
  action: actionField,
  runAt: z.iso
    .datetime({ offset: true })
    .meta({ description: 'ISO 8601 with an offset, in the future, a year ahead at most.' })
    .transform((text) => new Date(text)),
  timezone: z
    .string()
    .max(maxZoneLength)
    .default('UTC')
    .meta({ description: 'IANA name, for people who read it; `runAt` alone decides.' }),
  note: z.string().max(maxNoteLength).nullable().default(null),
})

export const scheduleSchema = z
  .object({
    id: z.string(),
    flagId: z.string(),
    envId: z.string(),
    ruleId: z.string().nullable().meta({ description: 'Null: the environment’s switch of the flag.' }),
    action: actionField,
    runAt: timeField,
    timezone: z.string(),
    note: z.string().nullable(),
    status: z.enum(['PENDING', 'SUSPENDED', 'DONE', 'FAILED', 'CANCELLED']),
    failureReason: z.string().nullable(),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Schedule' })

export function presentSchedule(schedule: Schedule): z.infer<typeof scheduleSchema> {
  const { runAt, createdAt, updatedAt, ...rest } = schedule
  const times = { runAt: runAt.toISOString(), createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
  return { ...rest, ...times }
}
