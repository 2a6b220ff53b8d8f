import { z } from 'zod'
import { nameField, timeField } from '../../../fields.ts'

export const organizationSchema = z
  .object({
    id: z.string(),
    shortId: z.int(),
    name: z.string(),
    features: z.string().array().meta({ description: 'The features that are turned on for the organization.' }),
    createdAt: timeField,
  })
  .meta({ id: 'Organization' })

const maxKeywords = 50
const maxKeywordLength = 100

export const notificationsField = z
  .strictObject({
    mode: z.enum(['INCLUDE', 'EXCLUDE']),
    keywords: z.string().min(1).max(maxKeywordLength).array().min(1).max(maxKeywords),
  })
  .nullable()
  .meta({
    description: 'Filters the events that webhooks receive by words in names and keys. Safety events are always sent.',
  })

export const organizationSettingsSchema = organizationSchema
  .extend({ notifications: notificationsField })
  .meta({ id: 'OrganizationSettings' })

export const updateOrganizationBody = z.strictObject({
  name: nameField.optional(),
  notifications: notificationsField.optional(),
})
