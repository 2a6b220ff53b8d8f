import { z } from 'zod'
import { timeField } from '../../../fields.ts'
import { eventField } from '../destinations/index.ts'
import { retryingCountedMax } from './delivery.ts'

export const retryingField = z
  .int()
  .max(retryingCountedMax)
  .meta({
    description: `How many deliveries are being retried, counted up to ${retryingCountedMax}. A delivery counts as failed only after its last attempt.`,
  })

const deliveryStatusField = z.enum(['PENDING', 'DELIVERED', 'FAILED', 'PERMANENTLY_FAILED'])

const momentField = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

export const replayBody = z.strictObject({
  since: momentField.meta({
    description: 'Start of the range, inclusive: only deliveries created at or after this time.',
  }),
  until: momentField.meta({ description: 'End of the range, exclusive: only deliveries created before this time.' }),
  includeDelivered: z.boolean().default(false).meta({ description: '`true` also sends successful deliveries again.' }),
})

export const replayedSchema = z
  .object({
    replayed: z.int().meta({ description: 'How many deliveries are sent again: at most 10000, oldest first.' }),
  })
  .meta({ id: 'ReplayedDeliveries' })

/** Filters of the list. A delivery must match all of them. */
export const deliveryFilters = {
  status: deliveryStatusField.optional(),
  eventType: eventField.optional(),
  since: momentField.optional().meta({ description: 'Only deliveries created at or after this time.' }),
  until: momentField.optional().meta({ description: 'Only deliveries created before this time.' }),
}

export const deliverySchema = z
  .object({
    id: z.string().meta({ description: 'The id in the paths of a delivery.' }),
    destinationId: z.string(),
    deliveryId: z.string().meta({ description: 'The value of the X-Svc-Delivery-Id header.' }),
    eventType: z.string(),
    sourceEntityId: z.string().nullable(),
    payload: z.record(z.string(), z.unknown()),
    status: deliveryStatusField,
    attempts: z.int(),
    lastAttemptAt: timeField.nullable(),
    nextRetryAt: timeField.nullable(),
    responseStatus: z.int().nullable(),
    responseBody: z.string().nullable(),
    errorMessage: z.string().nullable(),
    createdAt: timeField,
  })
  .meta({ id: 'Delivery' })
