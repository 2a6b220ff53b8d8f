import { z } from 'zod'
import { flagStatusField, scheduleSchema } from '../../../catalogue/payloads.ts'
import { idField, timeField } from '../../../fields.ts'
import { confirmedFields } from '../../serving/heartbeat/index.ts'
import { stagedSchema } from '../flags/index.ts'

export const updateFlagEnvironmentBody = z.strictObject({
  defaultVariationId: idField.optional().meta({ description: 'Staged until the next publish.' }),
  enabled: z.boolean().optional().meta({ description: 'Acts at once: false pauses, true runs.' }),
})

const maxUserIdLength = 512

const allowlistField = z.array(
  z.strictObject({
    variationKey: z.string(),
    userIds: z.array(z.string().min(1).max(maxUserIdLength)).min(1, 'An entry names at least one id.'),
  }),
)

export const overridesBody = z.strictObject({
  environmentAllowlist: allowlistField,
  ruleAllowlists: z.array(z.strictObject({ ruleId: idField, entries: allowlistField })),
})

export const overridesSchema = z.object({
  environmentAllowlist: z.object({ variationKey: z.string(), userIds: z.string().array() }).array(),
  ruleAllowlists: z
    .object({
      ruleId: z.string(),
      entries: z.object({ variationKey: z.string(), userIds: z.string().array() }).array(),
    })
    .array(),
  staged: z.boolean(),
})

export const switchSchema = z
  .object({
    flagId: z.string(),
    envId: z.string(),
    ruleId: z.string().nullable(),
    enabled: z.boolean(),
    changed: z.boolean(),
    flagStatus: flagStatusField,
    dataFile: z.object({ revision: z.int(), etag: z.string(), publishedAt: timeField.nullable() }),
    suspendedSchedules: z.array(scheduleSchema).meta({ description: 'Schedules that the pause suspended.' }),
    ...confirmedFields,
  })
  .meta({ id: 'Switch' })

export const flagEnvironmentSwitchSchema = switchSchema
  .extend({
    defaultVariationId: z.string().meta({ description: 'As served; a staged one is under `staged`.' }),
    staged: stagedSchema,
  })
  .meta({ id: 'FlagEnvironmentSwitch' })
