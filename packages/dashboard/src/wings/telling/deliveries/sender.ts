import { deliveriesPath, deliveryPath, onePath, type Webhook, webhookPaths } from '../webhooks/webhook-path.ts'

/**
 * What sends deliveries: a webhook, or a destination of a different kind. Their routes take and answer the same, so the
 * paths of both have the type of those of webhooks.
 */
export interface Sender {
  noun: 'webhook' | 'destination'
  id: string
  enabled: boolean
  /** What a test is called. */
  test: string
  /** How long each retry waits, if it is known. */
  retryDelaysMs: readonly number[]
  /** The webhook; a destination has no address to show. */
  webhook?: Webhook
  paths: { one: typeof onePath; deliveries: typeof deliveriesPath; delivery: typeof deliveryPath }
  /** The parameters of the paths. */
  at: (projectId: string) => { projectId: string; webhookId: string }
  deliveryAt: (projectId: string, deliveryId: string) => { projectId: string; webhookId: string; deliveryId: string }
  /** Read again after a write. */
  changed: string[]
  /** Its page, and the parameter of that. */
  page: { to: typeof webhookPage; params: { webhook: string } }
}

const webhookPage = '/$org/$project/integrations/webhooks/$webhook'

export const webhookSender = (webhook: Webhook): Sender => ({
  noun: 'webhook',
  id: webhook.id,
  enabled: webhook.enabled,
  test: 'Send test ping',
  retryDelaysMs: webhook.retryDelaysMs,
  webhook,
  paths: { one: onePath, deliveries: deliveriesPath, delivery: deliveryPath },
  at: (projectId) => ({ projectId, webhookId: webhook.id }),
  deliveryAt: (projectId, deliveryId) => ({ projectId, webhookId: webhook.id, deliveryId }),
  changed: webhookPaths,
  page: { to: webhookPage, params: { webhook: webhook.id } },
})
