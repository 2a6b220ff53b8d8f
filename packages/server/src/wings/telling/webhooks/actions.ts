import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { deliveryHeaders, formatSignature, signatureHead } from '@svc/core'
import { type EventName, isOrganizationWide } from '../../../catalogue/events.ts'
import { invalid, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Author, type RecordedEvent, triggeredBy } from '../../../platform/outbox.ts'
import type { Seal } from '../../../platform/seal.ts'
import { type DeliveryStatus, refusesRetry } from './delivery.ts'
import { payloadOf, testPayload } from './payload.ts'
import {
  type Delivery,
  deleteWebhookRow,
  findDelivery,
  insertDeliveries,
  insertSecret,
  insertWebhook,
  lockDelivery,
  lockWebhook,
  lockWebhookCount,
  projectOf,
  restartDeliveries,
  restartDelivery,
  saveWebhook,
  subscriptions,
  type Webhook,
  wakeWorkers,
} from './queries.ts'
import { passes } from './routing.ts'
import { maxWebhooksPerOrganization, toggled } from './webhook.ts'

const secretBytes = 32

/** Writes the deliveries of a change's events in the change's own transaction: they fire when it commits or not at all. */
export async function fanOut(tx: Tx, events: RecordedEvent[]): Promise<void> {
  const [first] = events
  if (!first) return
  const subscribed = await subscriptions(
    tx,
    first,
    events.map(({ name }) => name),
  )
  const deliveries = events.flatMap((event) =>
    subscribed
      .filter(({ events: names }) => names.includes(event.name))
      .filter(({ projectId }) => projectId === event.projectId || isOrganizationWide(event.name))
      .filter(({ filter }) => passes(filter, event))
      .map(({ webhookId, secretId, eventProject }) => {
        const deliveryId = newId()
        return {
          id: newId(),
          webhookId,
          deliveryId,
          eventId: event.id,
          eventType: event.name,
          sourceEntityId: sourceEntityOf(event.payload),
          isTest: false,
          secretId,
          body: JSON.stringify(payloadOf(deliveryId, event, eventProject, triggeredBy(event.actor))),
          attempts: 0,
          dueAt: event.occurredAt,
        }
      }),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, first.occurredAt)
}

function sourceEntityOf({ flag, environment, webhook }: Record<string, unknown>): string | null {
  const entity = (flag ?? environment ?? webhook) as { id: string } | undefined
  return entity?.id ?? null
}

export interface WebhookRequest {
  name: string
  url: string
  events: Webhook['events']
}

/** The URL has been checked before; the answer carries the secret, this once. */
export async function createWebhook(
  tx: Tx,
  seal: Seal,
  by: Author,
  { orgId, projectId }: { orgId: string; projectId: string },
  { name, url, events }: WebhookRequest,
): Promise<{ webhook: Webhook; secret: string } | Refusal> {
  if ((await lockWebhookCount(tx, orgId)) >= maxWebhooksPerOrganization)
    return invalid({ path: [], message: `Maximum number of webhooks exceeded: ${maxWebhooksPerOrganization}.` })
  const webhook: Webhook = {
    id: newId(),
    projectId,
    orgId,
    name,
    url,
    events,
    enabled: true,
    disabledAt: null,
    disableReason: null,
    consecutiveFailures: 0,
    version: 1,
    secretId: newId(),
    createdAt: by.now,
    updatedAt: by.now,
  }
  await insertWebhook(tx, webhook)
  const secret = await newSecret(tx, seal, webhook, by.now)
  await recordWebhookChange(tx, by, webhook, 'create', 'webhook.created', { after: { name, url, events } })
  return { webhook, secret }
}

async function newSecret(tx: Tx, seal: Seal, { id, secretId }: Webhook, now: Date): Promise<string> {
  const secret = randomBytes(secretBytes).toString('hex')
  await insertSecret(tx, { id: secretId, webhookId: id, sealed: seal.seal(secret, secretId) }, now)
  return secret
}

export interface WebhookUpdate {
  name?: string | undefined
  url?: string | undefined
  events?: Webhook['events'] | undefined
  enabled?: boolean | undefined
}

/** Content first, the switch second, in one write. */
export async function updateWebhook(
  tx: Tx,
  by: Author,
  ifMatch: IfMatch,
  webhookId: string,
  { enabled, ...content }: WebhookUpdate,
): Promise<Webhook | Refusal> {
  const current = await lockWebhook(tx, webhookId)
  if (!current) return notFound('Webhook')
  const failed = ifMatch(webhookEtag(current))
  if (failed) return failed
  const { name = current.name, url = current.url, events = current.events } = content
  const before = { name: current.name, url: current.url, events: current.events, enabled: current.enabled }
  const after = { name, url, events, enabled: enabled ?? current.enabled }
  if (isDeepStrictEqual(before, after)) return current
  const switched = enabled === undefined ? current : { ...current, ...toggled(current, enabled, by.now) }
  const updated = { ...switched, name, url, events, version: current.version + 1, updatedAt: by.now }
  await saveWebhook(tx, updated)
  if (!current.enabled && updated.enabled) await wakeWorkers(tx)
  await recordWebhookChange(tx, by, updated, 'update', 'webhook.updated', { before, after })
  return updated
}

/** The history of deliveries goes with it. */
export async function deleteWebhook(tx: Tx, by: Author, webhookId: string): Promise<null | Refusal> {
  const webhook = await lockWebhook(tx, webhookId)
  if (!webhook) return notFound('Webhook')
  const { name, url, events } = webhook
  // Recorded first: the event counter is locked before the row goes, as in every change that delivers to it.
  await recordWebhookChange(tx, by, webhook, 'delete', 'webhook.deleted', { before: { name, url, events } })
  await deleteWebhookRow(tx, webhookId)
  return null
}

/** New deliveries are signed with the new secret at once; those that exist keep theirs. */
export async function rotateSecret(
  tx: Tx,
  seal: Seal,
  by: Author,
  webhookId: string,
): Promise<{ secret: string } | Refusal> {
  const current = await lockWebhook(tx, webhookId)
  if (!current) return notFound('Webhook')
  const rotated = { ...current, secretId: newId(), updatedAt: by.now }
  const secret = await newSecret(tx, seal, rotated, by.now)
  await saveWebhook(tx, rotated)
  await recordWebhookChange(tx, by, rotated, 'rotate_secret', 'webhook.secret_rotated', {})
  return { secret }
}

/** Only what failed can be sent again; it starts over as a new cycle, under the current secret. */
export async function retryDelivery(
  tx: Tx,
  by: Author,
  { webhookId, recordId }: { webhookId: string; recordId: string },
): Promise<Delivery | Refusal> {
  const webhook = await lockWebhook(tx, webhookId)
  const delivery = webhook && (await lockDelivery(tx, recordId))
  if (!delivery) return notFound('Delivery')
  const refusal = refusesRetry(delivery.status)
  if (refusal) return refusal
  await restartDelivery(tx, recordId, webhook.secretId, by.now)
  await recordWebhookChange(tx, by, webhook, 'retry_delivery', 'webhook.delivery_retried', {
    after: { deliveryId: recordId },
  })
  return (await findDelivery(tx, webhookId, recordId))!
}

export interface ReplayRange {
  since: Date
  until: Date
  includeDelivered: boolean
}

/** Sends a range of deliveries again, for a receiver that was down: each as a new cycle, under the current secret. */
export async function replayDeliveries(
  tx: Tx,
  by: Author,
  webhookId: string,
  { since, until, includeDelivered }: ReplayRange,
): Promise<{ replayed: number } | Refusal> {
  const webhook = await lockWebhook(tx, webhookId)
  if (!webhook) return notFound('Webhook')
  const statuses: DeliveryStatus[] = [
    'FAILED',
    'PERMANENTLY_FAILED',
    ...(includeDelivered ? ['DELIVERED' as const] : []),
  ]
  const range = { since, until, statuses, secretId: webhook.secretId }
  const replayed = await restartDeliveries(tx, webhookId, range, by.now)
  await recordWebhookChange(tx, by, webhook, 'replay', 'webhook.delivery_retried', {
    after: { since, until, includeDelivered, replayed },
  })
  return { replayed }
}

/** Puts a ping's record down in its caller's hands; a worker finishes what a crash leaves. */
export async function recordTestPing(
  tx: Tx,
  by: Author,
  webhookId: string,
  leaseUntil: Date,
): Promise<Delivery | Refusal> {
  const webhook = await lockWebhook(tx, webhookId)
  if (!webhook) return notFound('Webhook')
  const deliveryId = newId()
  const id = newId()
  const payload = testPayload(deliveryId, await projectOf(tx, webhook.projectId), by.now)
  const row = {
    id,
    webhookId,
    deliveryId,
    eventId: null,
    eventType: 'webhook.test' as const,
    sourceEntityId: null,
    isTest: true,
    secretId: webhook.secretId,
    body: JSON.stringify(payload),
    attempts: 1,
    dueAt: leaseUntil,
  }
  await insertDeliveries(tx, [row], by.now)
  await recordWebhookChange(tx, by, webhook, 'test', 'webhook.tested', { after: { deliveryId: id } })
  return (await findDelivery(tx, webhookId, id))!
}

export const webhookEtag = ({ version }: Webhook): string => versionEtag('w', version)

function recordWebhookChange(
  tx: Tx,
  by: Author,
  webhook: Webhook,
  action: string,
  event: Extract<EventName, `webhook.${string}`>,
  states: { before?: unknown; after?: unknown },
): Promise<void> {
  const { id, name, orgId, projectId } = webhook
  return by.record(tx, {
    orgId,
    projectId,
    action: `webhook.${action}`,
    object: { type: 'webhook', id, name },
    ...states,
    events: [{ name: event, payload: { webhook: { id, name } } }],
  })
}

const headerNames = {
  id: deliveryHeaders.id.toLowerCase(),
  event: deliveryHeaders.event.toLowerCase(),
  signature: deliveryHeaders.signature.toLowerCase(),
  timestamp: deliveryHeaders.timestamp.toLowerCase(),
}

/** The headers of one attempt: exactly those of the specification, with a fresh timestamp. */
export function signedHeaders(
  { deliveryId, eventType, body }: { deliveryId: string; eventType: string; body: Buffer },
  secret: KeyObject,
  now: Date,
): Record<string, string> {
  const timestamp = now.toISOString()
  const digest = createHmac('sha256', secret).update(signatureHead(deliveryId, timestamp)).update(body).digest()
  return {
    'content-type': 'application/json',
    [headerNames.id]: deliveryId,
    [headerNames.event]: eventType,
    [headerNames.signature]: formatSignature(digest),
    [headerNames.timestamp]: timestamp,
    'user-agent': 'Svc-Webhooks/1.0',
  }
}
