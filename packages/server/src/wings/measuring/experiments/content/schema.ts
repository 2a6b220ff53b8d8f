import { z } from 'zod'
import { differenceSchema } from '../../../flags/publishing/index.ts'
import { changeSchema, codeFault, handOffSources, maxCodeLength, redirectSchema } from '../../../model/web/index.ts'
import { contentWarningCodes } from './warnings.ts'

export const variationParam = {
  variationKey: z.string().meta({ description: 'The key of a variation of the experiment.' }),
}

export const versionQuery = {
  version: z.enum(['DRAFT', 'LIVE']).default('DRAFT').meta({
    description: 'DRAFT: as edited. LIVE: what visitors get. Once the experiment is completed, both are what ran.',
  }),
}

const warningsField = z
  .object({ code: z.enum(contentWarningCodes), message: z.string() })
  .array()
  .meta({
    description:
      'Problems to check. Empty if there are none. `OVERWRITTEN`: a later change sets the same on the same element. `SELECTOR_SHIFTS`: the change moves or inserts something, so that its own selector, which counts positions, finds a different element.',
  })

const saved = {
  differences: differenceSchema.array().meta({ description: 'What the call changes in the draft.' }),
}

export const changesSchema = z
  // Only here, because a request can leave out fields that an answer always has.
  .object({ changes: changeSchema.meta({ id: 'WebChange' }).array(), css: z.string().nullable() })
  .meta({ id: 'VariationChanges' })

export const savedChangesSchema = changesSchema
  .extend({ ...saved, warnings: warningsField })
  .meta({ id: 'SavedVariationChanges' })

export const codeSchema = z.object({ js: z.string().nullable() }).meta({ id: 'VariationCode' })

export const savedCodeSchema = codeSchema.extend(saved).meta({ id: 'SavedVariationCode' })

export const codeBody = z
  .strictObject({
    js: z
      .string()
      .superRefine((code, context) => {
        const fault = codeFault(code)
        if (fault !== undefined) context.addIssue({ code: 'custom', message: `${fault}.` })
      })
      .nullable()
      .meta({
        maxLength: maxCodeLength,
        description:
          'The body of a function in JavaScript (ES2022), which gets `svc`. It never runs on the service. Null removes it.',
      }),
    dryRun: z.boolean().default(false).meta({ description: 'Checks the code and saves nothing.' }),
  })
  .meta({ id: 'VariationCodeBody' })

export const handOffQuery = {
  format: z.enum(['json', 'md']).default('json').meta({ description: 'md: a Markdown file to hand on.' }),
}

export const handOffSchema = z
  .object({
    variationKey: z.string(),
    source: z.enum(handOffSources).meta({
      description:
        'FINAL: what ran, once the experiment is completed. LIVE: what was published last. DRAFT: what was never launched.',
    }),
    pages: z
      .object({ key: z.string(), name: z.string(), url: z.string().nullable() })
      .meta({ id: 'HandOffPage' })
      .array(),
    changes: z
      .object({
        id: z.string(),
        page: z.string().nullable().meta({ description: 'The key of a page; null for all pages of the experiment.' }),
        type: z.string(),
        selector: z.string(),
        before: z
          .string()
          .nullable()
          .meta({ description: 'What the element showed when it was edited; null if that is unknown.' }),
        after: z.string().nullable().meta({ description: 'Null for a change that shows nothing new, such as MOVE.' }),
        sentence: z.string(),
      })
      .meta({ id: 'HandOffChange' })
      .array(),
    html: z.string().nullable().meta({ description: 'The HTML of all changes, in their order.' }),
    css: z
      .string()
      .nullable()
      .meta({ description: 'STYLE and HIDE as rules without `!important`, then the CSS of the variation.' }),
    js: z.string().nullable(),
    redirect: redirectSchema.nullable(),
    checklist: z.string().array().meta({ description: 'One sentence for each step.' }),
    markdown: z.string().meta({ description: 'All of it as a document.' }),
  })
  .meta({ id: 'HandOff' })
