import { z } from 'zod'
import { publishReasonField, scheduleActionField } from '../../../catalogue/payloads.ts'
import { actorField, idField, timeField } from '../../../fields.ts'
import { environmentParams } from '../projects/index.ts'
import { changedExperimentsField, differenceSchema, ruleSummarySchema } from '../publishing/index.ts'
import { placeIn } from './step.ts'

/** Flags that are listed per revision. `flagCount` counts all. */
export const maxListedFlags = 100

/** Flags per revision whose changes the list can tell. */
export const maxToldFlags = 3

/** Flags whose changes are shown in one answer. */
export const maxShownFlags = 500

const changedFields = { id: z.string(), name: z.string(), change: z.enum(['ADDED', 'CHANGED', 'REMOVED']) }

const unseenField = changedFields.change.nullable().meta({
  description: 'Null if the live version changed, but visitors saw no change.',
})

const experimentFields = {
  id: z.string().nullable().meta({ description: 'Null if the experiment was deleted.' }),
  shortId: z.int(),
  name: z.string(),
  change: unseenField,
}

const changesField = differenceSchema
  .extend({ rules: ruleSummarySchema.array() })
  .meta({ id: 'RevisionChange' })
  .array()

export const revisionSchema = z
  .object({
    revision: z.int(),
    step: z.int().meta({
      description:
        '0 for the change that made this revision of the data file. 1 and more for the later publishes that did not change the file, for example of a paused flag, in their order.',
    }),
    publishedAt: timeField.nullable().meta({ description: 'Null for the first file of the environment.' }),
    etag: z.string(),
    bytes: z.int(),
    publishedBy: actorField
      .nullable()
      .meta({ description: 'Null for the first file of the environment and for revisions without a known author.' }),
    reason: publishReasonField.nullable().meta({
      description:
        'Why the revision was made, as in the event `flag.published`. Null for the first file of the environment, for a new format of the file, and for revisions older than this record.',
    }),
    switched: z
      .object({ what: z.enum(['FLAG', 'RULE', 'EXPERIMENT']), to: scheduleActionField })
      .nullable()
      .meta({
        description:
          'For the reason `SWITCHED`: whether the whole flag, one of its rules or a web experiment was run or paused. Null if the data file does not show it.',
      }),
    comment: z.string().nullable().meta({ description: 'The comment of the publish.' }),
    flagCount: z.int().meta({
      description:
        'Number of flags that changed in the data file and, for a publish, of those that changed without an effect on it.',
    }),
    flags: z
      .object({
        ...changedFields,
        change: unseenField,
        key: z.string(),
        changes: changesField.optional().meta({
          description: `With \`include=changes\`: the differences from the state before, for the first ${maxToldFlags} flags. Empty for a new flag.`,
        }),
      })
      .array()
      .meta({
        description: `The first ${maxListedFlags} of these flags, with their keys at that time. Flags that visitors saw change come first, each group sorted by key.`,
      }),
    experiments: z
      .object(experimentFields)
      .array()
      .meta({
        description: `In a project of the type WEB: the first ${maxListedFlags} experiments that changed. Otherwise empty.`,
      }),
    audiences: z
      .object(changedFields)
      .array()
      .meta({ description: 'Audiences that changed in the data file or by the publish.' }),
    segments: z.object(changedFields).array().meta({ description: 'Segments whose members changed in the data file.' }),
  })
  .meta({ id: 'Revision' })

const flagIdField = idField.optional()

export const listQuery = {
  flagId: flagIdField.meta({ description: 'Only revisions that changed this flag.' }),
  by: z.guid('Must be an id.').optional().meta({
    description: 'Only revisions of this user or token. A user includes their personal tokens.',
  }),
  include: z.literal('changes').optional().meta({ description: 'Also says what changed in each flag.' }),
}

export const revisionQuery = { flagId: flagIdField.meta({ description: 'Show only this flag.' }) }

export const revisionChangesSchema = revisionSchema
  .extend({
    previousRevision: z.int().nullable().meta({
      description: 'The revision of the row before this one; null if none is stored.',
    }),
    previousStep: z.int().nullable().meta({ description: 'The step of the row before this one.' }),
    flags: z
      .object({
        ...changedFields,
        key: z.string(),
        change: unseenField,
        current: z
          .object({ key: z.string(), name: z.string() })
          .nullable()
          .meta({ description: 'Key and name of the flag now; null if it was deleted.' }),
        changes: changesField.meta({ description: 'Differences from the state before. Empty for a new flag.' }),
      })
      .array()
      .meta({ description: `Up to ${maxShownFlags} flags, with their keys at that time.` }),
    experiments: z
      .object({ ...experimentFields, changes: changesField })
      .array()
      .meta({ description: 'Web experiments. The paths of changes are fields of the experiment.' }),
    audiences: z.object({ ...changedFields, changes: differenceSchema.array() }).array(),
  })
  .meta({ id: 'RevisionChanges' })

const movedSwitchSchema = z
  .object({
    flagId: z.string(),
    key: z.string(),
    from: z.boolean().meta({ description: 'Whether the flag runs now.' }),
    to: z.boolean().meta({ description: 'Whether it ran at the end of the revision.' }),
  })
  .meta({ id: 'MovedSwitch' })

const maxRevision = 2_147_483_647

export const revisionParams = {
  ...environmentParams,
  revision: z
    .string()
    .transform((text, { addIssue }) => {
      const place = placeIn(text)
      const fits = place && place.revision <= maxRevision && (place.step ?? 0) <= maxRevision
      if (fits) return place
      addIssue({ code: 'custom', message: 'must be a revision such as 41, or a step of it such as 41.1.' })
      return z.NEVER
    })
    .meta({ description: 'A revision such as `41`, or a step of it such as `41.1`.' }),
}

const maxFlagIds = 1000

export const restoreBody = z
  .strictObject({
    flagIds: idField.array().max(maxFlagIds).nullable().default(null).meta({
      description: 'Restores only these flags. Null restores all flags that still exist.',
    }),
    dryRun: z.boolean().default(false).meta({ description: 'Only shows what would be staged.' }),
  })
  .optional()

export const restoreSchema = z
  .object({
    envId: z.string(),
    revision: z.int().meta({ description: 'The revision whose state is staged now.' }),
    step: z
      .int()
      .nullable()
      .meta({ description: 'The step of the revision, if the request named one; null for the end of the revision.' }),
    changed: z.boolean().meta({ description: 'False if the drafts were already in this state, and for a dry run.' }),
    flags: z.object({ flagId: z.string(), key: z.string(), changes: differenceSchema.array() }).array(),
    experiments: changedExperimentsField,
    switches: movedSwitchSchema.array().meta({
      description: `Flags that ran then and are paused now, or the other way round; at most ${maxListedFlags}. A restore leaves switches as they are: run or pause these flags yourself.`,
    }),
  })
  .meta({ id: 'RestoredRevision' })
