import { z } from 'zod'
import { madeKeyField, nameField, shownOnce, timeField } from '../../../fields.ts'
import { retryingField } from '../deliveries/index.ts'
import { eventsField } from '../destinations/index.ts'

const maxUrlLength = 2048
const urlField = z.string().max(maxUrlLength)

export const createWebhookBody = z.strictObject({
  name: nameField,
  key: madeKeyField,
  url: urlField,
  events: eventsField,
})

export const updateWebhookBody = z.strictObject({
  name: nameField.optional(),
  url: urlField.optional(),
  events: eventsField.optional(),
  enabled: z.boolean().optional(),
})

const webhookFields = {
  id: z.string(),
  projectId: z.string(),
  orgId: z.string(),
  key: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.string().array(),
  enabled: z.boolean(),
  disabledAt: timeField.nullable(),
  disableReason: z.string().nullable(),
  consecutiveFailures: z.int(),
  retrying: retryingField,
  retryDelaysMs: z.int().array().meta({
    description: 'How long each retry of a delivery waits after the previous attempt. The operator sets this.',
  }),
  createdAt: timeField,
  updatedAt: timeField,
}

export const webhookSchema = z.object(webhookFields).meta({ id: 'Webhook' })

const secretField = shownOnce(z.string())

export const createdWebhookSchema = z.object({ ...webhookFields, secret: secretField }).meta({ id: 'CreatedWebhook' })

export const secretSchema = z.object({ secret: secretField }).meta({ id: 'RotatedSecret' })
