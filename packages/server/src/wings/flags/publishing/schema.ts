import { z } from 'zod'
import { actorField, idField, timeField } from '../../../fields.ts'
import { confirmedFields } from '../../serving/heartbeat/index.ts'
import { previewSchema, visitorsField } from './preview/schema.ts'

const maxFlagIds = 1000
const maxCommentLength = 1000

const flagIdsField = idField.array().max(maxFlagIds).nullable()

export const publishBody = z
  .strictObject({
    flagIds: flagIdsField.default(null).meta({
      description: 'Publish only the staged changes of these flags. Null publishes those of all flags and audiences.',
    }),
    comment: z.string().max(maxCommentLength).nullable().default(null),
    dryRun: z.boolean().default(false).meta({ description: 'Only shows what would change.' }),
    visitors: visitorsField.optional(),
  })
  .refine(({ dryRun, visitors }) => dryRun || visitors === undefined, {
    path: ['visitors'],
    message: 'can only be given with dryRun.',
  })
  .optional()

export const previewBody = z
  .strictObject({
    flagIds: flagIdsField.default(null).meta({
      description: 'Preview the staged changes of these flags only. Null previews those of all flags and audiences.',
    }),
    visitors: visitorsField,
  })
  .meta({ example: { visitors: 'GENERATE' } })

export const differenceSchema = z
  .object({ path: z.string(), from: z.unknown(), to: z.unknown() })
  .meta({ id: 'Difference' })

const namedField = { id: z.string(), name: z.string() }

export const ruleSummarySchema = z
  .object({ ...namedField, shortId: z.int(), type: z.enum(['TARGETED_DELIVERY', 'AB_TEST']) })
  .meta({ id: 'RuleSummary' })

export const stagedChangeSchema = differenceSchema
  .extend({
    rules: ruleSummarySchema
      .array()
      .meta({ description: 'The rules that the change names, as drafted; deleted rules as they were.' }),
    by: actorField.nullable().meta({ description: 'Who staged the value; null if unknown.' }),
    at: timeField.nullable(),
    source: z
      .string()
      .optional()
      .meta({
        description: 'Where the change comes from, such as a file, as given in `X-Svc-Source`.',
        examples: ['svc apply svc.yaml'],
      }),
  })
  .meta({ id: 'StagedChange' })

const warningsField = z
  .object({
    code: z.literal('reassigns_exposed_visitors'),
    ruleId: z.string(),
    visitors: z.int().nullable().meta({
      description:
        'How many of the visitors in the last snapshot of results get a different variation, computed from the shares. Null: there is no snapshot yet.',
    }),
  })
  .meta({ id: 'PublishWarning' })
  .array()

const experimentChangesField = <Change extends z.ZodType>(change: Change, name: string) =>
  z
    .object({ id: z.string(), shortId: z.int(), name: z.string(), changes: change.array() })
    .meta({ id: name })
    .array()
    .meta({
      description:
        'Web experiments with their changes, by fields of the experiment. Empty in a project of the type FEATURE_FLAG, whose experiments change rules of flags.',
    })

export const changedExperimentsField = experimentChangesField(differenceSchema, 'ChangedExperiment')

export const stagedListSchema = z
  .object({
    envId: z.string(),
    flags: z
      .object({ flagId: z.string(), key: z.string(), name: z.string(), changes: stagedChangeSchema.array() })
      .array(),
    experiments: experimentChangesField(stagedChangeSchema, 'StagedExperiment'),
    audiences: z
      .object({ audienceId: z.string(), name: z.string(), changes: stagedChangeSchema.array() })
      .array()
      .meta({ description: 'Edited audiences; empty for a single flag, whose publish leaves audiences as they are.' }),
    warnings: warningsField,
  })
  .meta({ id: 'StagedChanges' })

export const publicationSchema = z
  .object({
    envId: z.string(),
    changed: z.boolean().meta({ description: 'False when nothing was staged.' }),
    revision: z
      .int()
      .meta({ description: 'The same as `previousRevision` if the publish does not change the data file.' }),
    previousRevision: z.int(),
    etag: z.string(),
    bytes: z.int(),
    publishedAt: timeField.nullable().meta({
      description: 'When this call published. If there was nothing to publish, when the data file was made.',
    }),
    publishedBy: actorField
      .nullable()
      .meta({ description: 'Who published with this call; null if it published nothing.' }),
    flags: z.object({ flagId: z.string(), key: z.string(), changes: differenceSchema.array() }).array(),
    experiments: changedExperimentsField,
    audiences: z
      .object({ audienceId: z.string(), name: z.string(), changes: differenceSchema.array() })
      .array()
      .meta({ description: 'Edited audiences that went live; empty if the request had `flagIds`.' }),
    warnings: warningsField,
    preview: previewSchema.optional().meta({ description: 'Present only in a dry run with `visitors`.' }),
    ...confirmedFields,
  })
  .meta({ id: 'Publication' })
