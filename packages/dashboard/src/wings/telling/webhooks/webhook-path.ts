import type { Data } from '@svc/client'

export const listPath = '/api/v1/projects/{projectId}/webhooks'
export const onePath = `${listPath}/{webhookId}` as const
export const deliveriesPath = `${onePath}/deliveries` as const
export const deliveryPath = `${deliveriesPath}/{deliveryId}` as const

export type Webhook = Data<typeof onePath, 'get'>

/** Read again after a write to a webhook. */
export const webhookPaths = [listPath, onePath, deliveriesPath, deliveryPath]
