import { z } from 'zod'
import { idField, keyField, nameField, timeField } from '../../../fields.ts'
import { projectTypes } from './project-type.ts'

const typeField = z.enum(projectTypes)

export const projectSchema = z
  .object({
    id: z.string(),
    shortId: z.int(),
    orgId: z.string(),
    key: z.string().meta({ description: 'Paths accept the key instead of the id.' }),
    name: z.string(),
    type: typeField.meta({
      description:
        'FEATURE_FLAG: the project has flags, and its experiments test flags. WEB: its experiments test web pages, and it has no flags.',
    }),
    samplesVisitors: z.boolean().meta({
      description:
        'Whether the service keeps a sample of visitors with their attributes, to suggest attributes and values for conditions and to estimate who matches an audience.',
    }),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Project' })

export const projectParams = { projectId: idField }

export const createProjectBody = z.strictObject({
  name: nameField,
  key: keyField.optional().meta({ description: 'Default: made from the name.' }),
  type: typeField.default('FEATURE_FLAG').meta({ description: 'Fixed once the project is created.' }),
})

export const updateProjectBody = z.strictObject({
  name: nameField.optional(),
  key: keyField.optional(),
  samplesVisitors: z.boolean().optional().meta({
    description: 'False deletes the sample of visitors within minutes, and nothing is added to it.',
  }),
})
