import { z } from 'zod'
import { actorField, descriptionField, madeKeyField, nameField, timeField } from '../../../fields.ts'
import { ruleUseSchema } from '../../model/rules/index.ts'
import { maxEditedMembers } from './segment.ts'

const examples = [['u-17', 'u-18']]

export const createSegmentBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  description: descriptionField.default(null),
})

export const updateSegmentBody = createSegmentBody
  .omit({ key: true })
  .extend({ description: descriptionField })
  .partial()

export const membersBody = z
  .strictObject({ ids: z.string().array().meta({ examples }) })
  .meta({ description: 'Alternatively, CSV: ids in the first column, with or without a heading `id`.' })

export const editMembersBody = z.strictObject({
  ids: z
    .string()
    .array()
    .min(1, 'ids must have at least one id.')
    .max(maxEditedMembers, `ids can have up to ${maxEditedMembers} ids. Replace the members to send more.`)
    .meta({ examples }),
})

export const segmentSchema = z
  .object({
    id: z.string(),
    shortId: z.int().meta({
      description: 'Unique in the project. The data file identifies the segment by this number, as a string.',
    }),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    count: z.int().meta({ description: 'Number of visitor ids in the segment.' }),
    lastEdit: z
      .object({
        edit: z.enum(['replace', 'add', 'remove']),
        at: timeField,
        by: actorField,
        before: z.int().meta({ description: 'Number of visitor ids before.' }),
        after: z.int(),
      })
      .meta({ id: 'SegmentEdit' })
      .nullable()
      .meta({ description: 'The last change of the ids. Null: there was none, or it was before this was kept.' }),
    usedBy: z
      .union([...ruleUseSchema.options, z.object({ type: z.literal('audience'), id: z.string() })])
      .array()
      .meta({
        description:
          'The first 100 drafted or live rules, or experiments in a project of the type WEB, and the first 100 audiences that use the segment.',
      }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Segment' })
