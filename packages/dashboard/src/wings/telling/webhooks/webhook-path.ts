import type { Data } from '@svc/client'
import { IconWebhook } from '@tabler/icons-react'
import type { Sender, SenderKind } from '../deliveries/sender.ts'

export const listPath = '/api/v1/projects/{projectId}/webhooks'
export const onePath = `${listPath}/{webhookId}` as const
const deliveriesPath = `${onePath}/deliveries` as const

export type Webhook = Data<typeof onePath, 'get'>

export const webhooks: SenderKind = {
  noun: 'webhook',
  Icon: IconWebhook,
  scopes: { read: 'webhooks:read', write: 'webhooks:write' },
  test: 'Send test ping',
  whileOff: 'Events that happen meanwhile make no deliveries, but stay in the feed of events.',
  deleted: 'It gets no more events, deliveries that wait are not sent, and its history of deliveries is gone.',
  paths: {
    list: listPath,
    one: onePath,
    deliveries: deliveriesPath,
    delivery: `${deliveriesPath}/{deliveryId}`,
  },
  at: (projectId, webhookId) => ({ projectId, webhookId }),
  deliveryAt: (projectId, webhookId, deliveryId) => ({ projectId, webhookId, deliveryId }),
  pages: {
    all: '/$org/$project/integrations/webhooks',
    one: '/$org/$project/integrations/webhooks/$webhook',
    params: (webhook) => ({ webhook }),
  },
}

export const webhookSender = (webhook: Webhook): Sender => ({ kind: webhooks, ...webhook })
