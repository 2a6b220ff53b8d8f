import { z } from 'zod'
import { idField, timeField } from '../../../fields.ts'
import { differenceSchema, environmentParams } from '../projects/index.ts'

/** Flags that are listed per revision. `flagCount` counts all. */
export const maxListedFlags = 100

const changedFields = { id: z.string(), name: z.string(), change: z.enum(['ADDED', 'CHANGED', 'REMOVED']) }

export const revisionSchema = z
  .object({
    revision: z.int(),
    publishedAt: timeField.nullable().meta({ description: 'Null for the first file of the environment.' }),
    etag: z.string(),
    bytes: z.int(),
    publishedBy: z
      .object({ type: z.string(), id: z.string().nullable(), name: z.string() })
      .nullable()
      .meta({ description: 'Null for the first file of the environment and for revisions without a known author.' }),
    flagCount: z.int().meta({ description: 'Number of flags that changed in the data file.' }),
    flags: z
      .object({ ...changedFields, key: z.string() })
      .array()
      .meta({ description: `The first ${maxListedFlags} of these flags by key, with their keys at that time.` }),
    audiences: z.object(changedFields).array().meta({ description: 'Audiences that changed in the data file.' }),
    segments: z.object(changedFields).array().meta({ description: 'Segments whose members changed in the data file.' }),
  })
  .meta({ id: 'Revision' })

const maxRevision = 2_147_483_647

export const revisionParams = {
  ...environmentParams,
  // Only digits: a space or 0x1 would parse as numbers too.
  revision: z
    .string()
    .regex(/^(?:0|[1-9]\d*)$/)
    .transform(Number)
    .pipe(z.int().max(maxRevision)),
}

const maxFlagIds = 1000

export const restoreBody = z
  .strictObject({
    flagIds: idField.array().max(maxFlagIds).nullable().default(null).meta({
      description: 'Restore only these flags. Null restores all that still exist.',
    }),
  })
  .optional()

export const restoreSchema = z
  .object({
    envId: z.string(),
    revision: z.int().meta({ description: 'The revision whose state is staged now.' }),
    changed: z.boolean().meta({ description: 'False if the drafts were already in this state.' }),
    flags: z.object({ flagId: z.string(), key: z.string(), changes: differenceSchema.array() }).array(),
  })
  .meta({ id: 'RestoredRevision' })
