import { z } from 'zod'
import { scheduleActionField, scheduleSchema } from '../../../../catalogue/payloads.ts'
import { actorField, idField } from '../../../../fields.ts'
import type { ListedSchedule } from './queries.ts'
import type { Schedule } from './schedule.ts'

const maxNoteLength = 500
const maxZoneLength = 64

export const scheduleBody = z.strictObject({
  action: scheduleActionField,
  runAt: z.iso
    .datetime({ offset: true })
    .meta({ description: 'ISO 8601 with an offset. Must be in the future, at most a year ahead.' })
    .transform((text) => new Date(text)),
  timezone: z.string().max(maxZoneLength).default('UTC').meta({
    description: 'IANA time zone in which the dashboard shows the time. Only `runAt` decides when the schedule runs.',
  }),
  note: z.string().max(maxNoteLength).nullable().default(null),
})

export function presentSchedule(schedule: Schedule): z.infer<typeof scheduleSchema> {
  const { runAt, createdAt, updatedAt, isHidden, flagId, ...rest } = schedule
  const times = { runAt: runAt.toISOString(), createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
  return { ...rest, flagId: isHidden ? null : flagId, ...times }
}

const named = { id: z.string(), name: z.string() }

export const listedScheduleSchema = z
  .object({
    ...scheduleSchema.shape,
    flag: z
      .object({ ...named, shortId: z.int(), key: z.string() })
      .nullable()
      .meta({ description: 'Null for the schedule of a web experiment.' }),
    environment: z.object({ ...named, key: z.string() }),
    rule: z.object(named).nullable().meta({ description: 'Null: the environment’s switch of the flag.' }),
    experiment: z
      .object({ ...named, shortId: z.int() })
      .nullable()
      .meta({ description: 'The experiment that owns the rule. The schedule is set through the experiment.' }),
    by: actorField.nullable().meta({
      description: 'Who set the schedule, or whose pause suspended it, at `updatedAt`. Null if unknown.',
    }),
  })
  .meta({ id: 'ListedSchedule' })

export const scheduleFilters = { flagId: idField.optional().meta({ description: 'Only the schedules of this flag.' }) }

export const presentListed = ({
  flag,
  environment,
  rule,
  experiment,
  by,
  ...schedule
}: ListedSchedule): z.infer<typeof listedScheduleSchema> => ({
  ...presentSchedule(schedule),
  flag,
  environment,
  rule,
  experiment,
  by,
})
