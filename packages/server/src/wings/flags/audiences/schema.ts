import { z } from 'zod'
import { descriptionField, madeKeyField, nameField, timeField } from '../../../fields.ts'
import { ruleUseSchema } from '../../model/rules/index.ts'
import { conditionReferences } from '../../model/versions/index.ts'
import { conditionField, conditionSchema } from '../rules/index.ts'

const conditionsField = conditionField.superRefine((conditions, context) => {
  for (const { kind, path } of conditionReferences(conditions))
    if (kind === 'audience')
      context.addIssue({
        code: 'custom',
        path,
        message: 'An audience cannot refer to an audience: use attributes and segments.',
      })
})

export const createAudienceBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  description: descriptionField.default(null),
  conditions: conditionsField,
})

export const updateAudienceBody = createAudienceBody
  .omit({ key: true })
  .extend({ description: descriptionField })
  .partial()

export const audienceSchema = z
  .object({
    id: z.string(),
    shortId: z.int().meta({
      description: 'Unique in the project. The data file identifies the audience by this number, as a string.',
    }),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    conditions: conditionSchema,
    usedBy: ruleUseSchema.array().meta({
      description:
        'The first 100 drafted or live rules that use the audience. In a project of the type WEB, the experiments.',
    }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Audience' })
