import { z } from 'zod'
import { idField, keyField, nameField, timeField } from '../../../fields.ts'

export const projectSchema = z
  .object({
    id: z.string(),
    shortId: z.int(),
    orgId: z.string(),
    key: z.string().meta({ description: 'Paths accept the key instead of the id.' }),
    name: z.string(),
    type: z.literal('FEATURE_FLAG'),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Project' })

export const projectParams = { projectId: idField }

export const createProjectBody = z.strictObject({
  name: nameField,
  key: keyField.optional().meta({ description: 'Default: made from the name.' }),
  type: z.literal('FEATURE_FLAG').default('FEATURE_FLAG'),
})

export const updateProjectBody = z.strictObject({ name: nameField.optional(), key: keyField.optional() })
