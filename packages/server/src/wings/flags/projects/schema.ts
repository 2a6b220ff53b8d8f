import { z } from 'zod'
import { idField, nameField, timeField } from '../../../fields.ts'

export const projectSchema = z
  .object({
    id: z.string(),
    shortId: z.int(),
    orgId: z.string(),
    name: z.string(),
    type: z.literal('FEATURE_FLAG'),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Project' })

export const projectParams = { projectId: idField }

export const createProjectBody = z.strictObject({
  name: nameField,
  type: z.literal('FEATURE_FLAG').default('FEATURE_FLAG'),
})

export const updateProjectBody = z.strictObject({ name: nameField.optional() })
