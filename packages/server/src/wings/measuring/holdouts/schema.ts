import { z } from 'zod'
import { madeKeyField, nameField, timeField } from '../../../fields.ts'
import { ruleUseSchema } from '../../model/rules/index.ts'
import { maxShare } from './holdout.ts'

const shareField = z.int().min(1).max(maxShare).meta({
  description:
    'The share of the visitors who stay out, in basis points: at most 20 %. Fixed once a rule has used the holdout.',
})

export const createHoldoutBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  share: shareField,
})

export const updateHoldoutBody = z
  .strictObject({
    name: nameField,
    share: shareField,
    archived: z
      .boolean()
      .meta({ description: 'New rules cannot use an archived holdout; rules that have it keep it.' }),
  })
  .partial()

export const holdoutSchema = z
  .object({
    id: z.string(),
    shortId: z.int().meta({
      description: 'Unique in the project. The data file identifies the holdout by this number, as a string.',
    }),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    share: shareField,
    salt: z.string().meta({ description: 'A visitor stays out if the bucket under this salt is below `share`.' }),
    archived: z.boolean(),
    usedBy: ruleUseSchema.array().meta({
      description:
        'The first 100 drafted or live rules that use the holdout. In a project of the type WEB, the experiments.',
    }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Holdout' })
