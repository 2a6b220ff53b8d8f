import { z } from 'zod'
import { madeKeyField, nameField, timeField } from '../../../fields.ts'
import { wholeGroup } from '../../model/exclusion-groups/index.ts'
import { minSlotSize, usualSlotSize } from './group.ts'

const slotSizeField = z.int().min(minSlotSize).max(wholeGroup).meta({
  description: 'The share of the visitors that each rule gets, in basis points. Fixed while rules have slots.',
})

export const createGroupBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  slotSize: slotSizeField.default(usualSlotSize),
})

export const updateGroupBody = z.strictObject({ name: nameField, slotSize: slotSizeField }).partial()

export const groupSchema = z
  .object({
    id: z.string(),
    shortId: z
      .int()
      .meta({ description: 'Unique in the project. The data file identifies the group by this number, as a string.' }),
    projectId: z.string(),
    key: z.string(),
    name: z.string(),
    slotSize: slotSizeField,
    slots: z
      .object({
        ruleId: z.string(),
        flagId: z.string().nullable().meta({ description: 'Null for a web experiment.' }),
        experimentId: z.string().nullable().meta({ description: 'The web experiment; null for a rule of a flag.' }),
        envId: z.string(),
        from: z.int(),
        to: z.int(),
      })
      .array()
      .meta({
        description:
          'The slots of drafted and live rules: the buckets of the group, `from` inclusive and `to` exclusive. Each environment has its own.',
      }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'ExclusionGroup' })
