import { z } from 'zod'
import { flagStatusField, scheduleSchema } from '../../../catalogue/payloads.ts'
import { idField, timeField, visitorIdField } from '../../../fields.ts'
import { confirmedFields } from '../../serving/heartbeat/index.ts'
import { flagEnvironmentSchema, stagedSchema } from '../flags/index.ts'
import { stagedChangeSchema } from '../publishing/index.ts'
import { ruleDefinitionSchema } from '../rules/index.ts'

export const updateFlagEnvironmentBody = z.strictObject({
  defaultVariationId: idField.optional().meta({ description: 'Staged until the next publish.' }),
  enabled: z.boolean().optional().meta({ description: 'Takes effect at once: true runs, false pauses.' }),
})

export const allowlistField = z.array(
  z.strictObject({
    variationKey: z.string(),
    userIds: z.array(visitorIdField).min(1, 'must have at least one id.'),
  }),
)

export const overridesBody = z.strictObject({
  environmentAllowlist: allowlistField,
  ruleAllowlists: z.array(z.strictObject({ ruleId: idField, entries: allowlistField })),
})

export const allowlistSchema = z
  .object({ variationKey: z.string(), userIds: z.string().array() })
  .meta({ id: 'AllowlistEntry' })
  .array()

const listsSchema = z
  .object({
    environmentAllowlist: allowlistSchema,
    ruleAllowlists: z.object({ ruleId: z.string(), entries: allowlistSchema }).meta({ id: 'RuleAllowlist' }).array(),
  })
  .meta({ id: 'OverrideLists' })

export const overridesSchema = z
  .object({
    ...listsSchema.shape,
    live: listsSchema.meta({ description: 'The lists that are live.' }),
    staged: z.boolean().meta({ description: 'True while the lists differ from the live ones.' }),
  })
  .meta({ id: 'Overrides' })

const versionSchema = z
  .object({
    defaultVariationKey: z.string(),
    overrides: listsSchema,
    rules: ruleDefinitionSchema.array().meta({ description: 'In evaluation order.' }),
  })
  .meta({ id: 'FlagVersion' })

export const flagInEnvironmentSchema = flagEnvironmentSchema
  .extend({
    revision: z.int().meta({ description: 'The current revision of the environment’s data file.' }),
    schedule: scheduleSchema.nullable().meta({ description: 'The open schedule of the switch.' }),
    draft: versionSchema.meta({ description: 'The version that edits change.' }),
    live: versionSchema.meta({ description: 'The version that visitors get.' }),
    changes: stagedChangeSchema
      .array()
      .meta({ description: 'What the next publish would change, in the form of its dry run, with the authors.' }),
  })
  .meta({ id: 'FlagInEnvironment' })

export const switchSchema = z
  .object({
    flagId: z.string(),
    envId: z.string(),
    ruleId: z.string().nullable(),
    enabled: z.boolean(),
    changed: z
      .boolean()
      .meta({ description: 'Whether a switch or the live version changed. Staged changes alone do not count.' }),
    flagStatus: flagStatusField,
    dataFile: z.object({ revision: z.int(), etag: z.string(), publishedAt: timeField.nullable() }),
    suspendedSchedules: z.array(scheduleSchema).meta({ description: 'Schedules that the pause suspended.' }),
    ...confirmedFields,
  })
  .meta({ id: 'Switch' })

export const flagEnvironmentSwitchSchema = switchSchema
  .extend({
    defaultVariationId: z.string().meta({ description: 'The live default variation. `staged` contains the draft.' }),
    staged: stagedSchema,
  })
  .meta({ id: 'FlagEnvironmentSwitch' })
