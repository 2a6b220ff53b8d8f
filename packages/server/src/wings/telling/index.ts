import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import {
  type DeliveryWorker,
  deliverySweeps,
  deliveryWorker,
  fanOut,
  observeDeliveries,
  traceDeliveries,
} from './destinations/index.ts'
import { integrationRoutes, integrationWorker, membersAmong } from './integrations/index.ts'
import { notificationRoutes } from './notifications/index.ts'
import { webhookKind, webhookRoutes } from './webhooks/index.ts'

export interface Telling extends Wing {
  deliveries: DeliveryWorker
}

export function openTelling(platform: Platform): Telling {
  const { config, log, db, now, registry, outbound, subscribers, sweeps } = platform
  const context = {
    ...platform,
    post: outbound.post,
    request: outbound.request,
    membersAmong: (orgId: string, addresses: readonly string[]) => membersAmong(db, orgId, addresses),
    checkUrl: outbound.checkUrl,
    settings: {
      ladderMs: config.SVC_WEBHOOK_RETRY_DELAYS,
      timeoutMs: config.SVC_WEBHOOK_TIMEOUT,
    },
    observe: traceDeliveries(observeDeliveries(registry, log, db, now), platform),
  }
  subscribers.push(fanOut)
  sweeps.push(...deliverySweeps(config.SVC_DELIVERY_RETENTION))
  const deliveries = both(deliveryWorker(context, webhookKind(context)), integrationWorker(context))
  return {
    deliveries,
    routes(route) {
      webhookRoutes(route, context)
      integrationRoutes(route, context)
      notificationRoutes(route, platform)
    },
    work: () => deliveries.start(),
    leave: () => deliveries.stop(),
  }
}

/** Two workers as one. */
const both = (one: DeliveryWorker, other: DeliveryWorker): DeliveryWorker => ({
  async start() {
    await one.start()
    await other.start()
  },
  wake() {
    one.wake()
    other.wake()
  },
  async idle() {
    await Promise.all([one.idle(), other.idle()])
  },
  async stop() {
    await Promise.all([one.stop(), other.stop()])
  },
})
