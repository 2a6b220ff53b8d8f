import { seesFigures } from '../../catalogue/figures.ts'
import { scopesOfRole } from '../../catalogue/scopes.ts'
import type { Platform } from '../../open-platform.ts'
import type { Wing } from '../../wing.ts'
import {
  type Batch,
  type DeliveryWorker,
  deliverySweeps,
  deliveryWorker,
  fanOut,
  observeDeliveries,
  traceDeliveries,
} from './deliveries/index.ts'
import { type MailedMember, membersAmong, ownHearer } from './destinations/index.ts'
import {
  awaitsAnswer,
  confirmationRoutes,
  integrationRoutes,
  integrationWorker,
  type Recipient,
  reachableAmong,
} from './integrations/index.ts'
import { notificationRoutes } from './notifications/index.ts'
import {
  fanOutToAll,
  linkSecret,
  subscriptionRoutes,
  unsubscribeRoutes,
  unsubscribeUrl,
} from './subscriptions/index.ts'
import { webhookKind, webhookRoutes } from './webhooks/index.ts'

export interface Telling extends Wing {
  deliveries: DeliveryWorker
}

export function openTelling(platform: Platform): Telling {
  const { config, log, db, now, registry, outbound, subscribers, sweeps, seal, baseUrl, mailer, signers } = platform
  const context = {
    ...platform,
    post: outbound.post,
    request: outbound.request,
    recipientsOf,
    awaitsAnswer: ({ userId, orgId, config: { to } }: Batch) =>
      userId === null ? awaitsAnswer(db, orgId, to as string[], now()) : Promise.resolve(false),
    checkUrl: outbound.checkUrl,
    settings: {
      ladderMs: config.SVC_WEBHOOK_RETRY_DELAYS,
      timeoutMs: config.SVC_WEBHOOK_TIMEOUT,
    },
    observe: traceDeliveries(observeDeliveries(registry, log, db, now), platform),
  }
  subscribers.push(mailer ? fanOutToAll(seal) : fanOut)
  sweeps.push(...deliverySweeps(config.SVC_DELIVERY_RETENTION))
  const deliveries = both(deliveryWorker(context, webhookKind(context)), integrationWorker(context))
  return {
    deliveries,
    routes(route) {
      webhookRoutes(route, context)
      integrationRoutes(route, context)
      notificationRoutes(route, platform)
      subscriptionRoutes(route, platform)
    },
    personRoutes(route) {
      unsubscribeRoutes(route, platform)
      confirmationRoutes(route, platform)
    },
    work: () => deliveries.start(),
    leave: () => deliveries.stop(),
  }

  /** Who gets the mail of a destination now, each with the link that ends it. */
  async function recipientsOf({ destinationId, orgId, userId, config: { to } }: Batch): Promise<Recipient[]> {
    const own = userId === null ? undefined : await ownHearer(db, destinationId)
    const addresses = userId === null ? await reachableAmong(db, orgId, to as string[]) : own ? [own.email] : []
    const members = own ? [own] : await membersAmong(db, orgId, addresses)
    const blind = new Set(members.filter(isBlind).map(({ email }) => email.toLowerCase()))
    return addresses.map((address) => ({
      address,
      seesFigures: !blind.has(address.toLowerCase()),
      unsubscribeUrl: unsubscribeUrl(baseUrl, linkSecret(signers.unsubscribe, destinationId, userId ?? address)),
    }))
  }
}

const isBlind = ({ role }: MailedMember): boolean => !seesFigures({ scopes: scopesOfRole(role) })

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
