import { randomBytes } from 'node:crypto'
import { type ActionOn, actions } from '../../../catalogue/actions.ts'
import { isOrganizationWide } from '../../../catalogue/events.ts'
import { invalid, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { nounActions } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Author, type Authors, type RecordedEvent, systemActor, triggeredBy } from '../../../platform/outbox.ts'
import type { Readability, Seal } from '../../../platform/seal.ts'
import { keyFor } from '../../flags/projects/index.ts'
import { passes } from '../notifications/index.ts'
import { type DeliveryStatus, endedFailed, refusesRetry, type Settlement } from './delivery.ts'
import { payloadOf, sourceEntityOf, testPayload } from './payload.ts'
import {
  type Delivery,
  findDelivery,
  insertDeliveries,
  insertSecret,
  insertWebhook,
  type Job,
  lockDelivery,
  lockWebhookCount,
  lockWebhooks,
  projectOf,
  restartDeliveries,
  restartDelivery,
  saveWebhook,
  sealedSecrets,
  settleDeliveries,
  settleUneventful,
  subscriptions,
  type Webhook,
  wakeWorkers,
  webhookQueries,
} from './queries.ts'
import { disableReason, healthAfter, maxWebhooksPerOrganization, toggled } from './webhook.ts'

const secretBytes = 32

/** How many of the newest secrets of webhooks are sealed, and how many of them this key cannot open. */
export async function unreadableSecrets(db: Db, seal: Seal, limit: number): Promise<Readability> {
  const secrets = await sealedSecrets(db, limit)
  const unreadable = secrets.filter(({ id, sealed }) => !seal.opens(sealed, id))
  return { sealed: secrets.length, unreadable: unreadable.length }
}

/** Writes the deliveries for the events of a change, in its transaction: they are sent only if it commits. */
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
        const body = payloadOf(deliveryId, event, eventProject, triggeredBy(event.actor))
        return {
          id: newId(),
          webhookId,
          deliveryId,
          eventId: event.id,
          eventType: event.name,
          sourceEntityId: sourceEntityOf(event.name, body),
          isTest: false,
          secretId,
          body: JSON.stringify(body),
          attempts: 0,
          dueAt: event.occurredAt,
        }
      }),
  )
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, first.occurredAt)
}

export interface WebhookRequest {
  /** Default: made from the name. */
  key?: string | undefined
  name: string
  url: string
  events: Webhook['events']
}

/** Creates a webhook. The caller has checked the URL. Returns the secret, which is never shown again. */
export async function createWebhook(
  tx: Tx,
  seal: Seal,
  by: Author,
  { orgId, projectId }: { orgId: string; projectId: string },
  { key, name, url, events }: WebhookRequest,
): Promise<{ webhook: Webhook; secret: string } | Refusal> {
  if ((await lockWebhookCount(tx, orgId)) >= maxWebhooksPerOrganization)
    return invalid({ path: [], message: `Maximum number of webhooks exceeded: ${maxWebhooksPerOrganization}.` })
  const taken = await webhookQueries.keys(tx, projectId)
  if (key !== undefined && taken.has(key)) return webhooks.keyTaken
  const webhook: Webhook = {
    id: newId(),
    projectId,
    orgId,
    key: key ?? keyFor(name, 'webhook', taken),
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
  await recordWebhookChange(tx, by, webhook, 'webhook.create', {
    after: { key: webhook.key, name, url, events },
  })
  return { webhook, secret }
}

async function newSecret(tx: Tx, seal: Seal, { id, secretId }: Webhook, now: Date): Promise<string> {
  const secret = randomBytes(secretBytes).toString('hex')
  await insertSecret(tx, { id: secretId, webhookId: id, sealed: seal.seal(secret, secretId) }, now)
  return secret
}

interface WebhookContent extends WebhookRequest {
  key: string
  enabled: boolean
}

export const webhooks = nounActions<Webhook, WebhookContent>({
  name: 'webhook',
  place: 'organization',
  most: maxWebhooksPerOrganization,
  letter: 'w',
  nameConstraint: '',
  content: ({ key, name, url, events, enabled }) => ({ key, name, url, events, enabled }),
  record: ({ tx, by }, webhook, verb, states) => recordWebhookChange(tx, by, webhook, `webhook.${verb}`, states),
})

export type WebhookUpdate = {
  [Field in Exclude<keyof WebhookContent, 'key'>]?: WebhookContent[Field] | undefined
}

/** Edits the content and moves the switch in one write. */
export async function updateWebhook(
  tx: Tx,
  by: Author,
  ifMatch: IfMatch,
  { orgId, id }: Webhook,
  edit: WebhookUpdate,
): Promise<Webhook | Refusal> {
  const current = await webhookQueries.lock(tx, id)
  return webhooks.edit({ tx, by, orgId }, current, {
    ifMatch,
    edit,
    next: (edited, before) => ({
      ...edited,
      ...toggled({ ...edited, enabled: before.enabled }, edited.enabled, by.now),
    }),
    async save(edited, before) {
      await saveWebhook(tx, edited)
      if (!before.enabled && edited.enabled) await wakeWorkers(tx)
    },
  })
}

/** Deletes a webhook with its history of deliveries. */
export async function deleteWebhook(tx: Tx, by: Author, ifMatch: IfMatch, webhookId: string): Promise<null | Refusal> {
  const webhook = await webhookQueries.lock(tx, webhookId)
  if (!webhook) return notFound('Webhook')
  const failed = ifMatch(webhooks.etag(webhook))
  if (failed) return failed
  const { key, name, url, events } = webhook
  // Record first, so that the event counter is locked before the row, as in every change that delivers to the webhook.
  await recordWebhookChange(tx, by, webhook, 'webhook.delete', { before: { key, name, url, events } })
  await webhookQueries.remove(tx, webhookId)
  return null
}

/** Rotates the secret. New deliveries are signed with the new one; existing deliveries keep the old one. */
export async function rotateSecret(
  tx: Tx,
  seal: Seal,
  by: Author,
  ifMatch: IfMatch,
  webhookId: string,
): Promise<{ secret: string } | Refusal> {
  const current = await webhookQueries.lock(tx, webhookId)
  if (!current) return notFound('Webhook')
  const failed = ifMatch(webhooks.etag(current))
  if (failed) return failed
  const rotated = { ...current, secretId: newId(), updatedAt: by.now }
  const secret = await newSecret(tx, seal, rotated, by.now)
  await saveWebhook(tx, rotated)
  await recordWebhookChange(tx, by, rotated, 'webhook.rotate_secret', {})
  return { secret }
}

/** Sends a failed delivery again, as a new cycle of attempts with the current secret. */
export async function retryDelivery(
  tx: Tx,
  by: Author,
  { webhookId, recordId }: { webhookId: string; recordId: string },
): Promise<Delivery | Refusal> {
  const webhook = await webhookQueries.lock(tx, webhookId)
  const delivery = webhook && (await lockDelivery(tx, recordId))
  if (!delivery) return notFound('Delivery')
  const refusal = refusesRetry(delivery.status)
  if (refusal) return refusal
  await restartDelivery(tx, recordId, webhook.secretId, by.now)
  await recordWebhookChange(tx, by, webhook, 'webhook.retry_delivery', {
    after: { deliveryId: recordId },
  })
  return (await findDelivery(tx, webhookId, recordId))!
}

export interface ReplayRange {
  since: Date
  until: Date
  includeDelivered: boolean
}

/** Sends a range of deliveries again, each as a new cycle of attempts with the current secret. */
export async function replayDeliveries(
  tx: Tx,
  by: Author,
  webhookId: string,
  { since, until, includeDelivered }: ReplayRange,
): Promise<{ replayed: number } | Refusal> {
  const webhook = await webhookQueries.lock(tx, webhookId)
  if (!webhook) return notFound('Webhook')
  const statuses: DeliveryStatus[] = [
    'FAILED',
    'PERMANENTLY_FAILED',
    ...(includeDelivered ? ['DELIVERED' as const] : []),
  ]
  const range = { since, until, statuses, secretId: webhook.secretId }
  const replayed = await restartDeliveries(tx, webhookId, range, by.now)
  await recordWebhookChange(tx, by, webhook, 'webhook.replay', {
    after: { since, until, includeDelivered, replayed },
  })
  return { replayed }
}

/** Creates the record of a test ping, leased to the caller. If the caller crashes, a worker finishes it. */
export async function recordTestPing(
  tx: Tx,
  by: Author,
  webhookId: string,
  leaseUntil: Date,
): Promise<Delivery | Refusal> {
  const webhook = await webhookQueries.lock(tx, webhookId)
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
  await recordWebhookChange(tx, by, webhook, 'webhook.test', { after: { deliveryId: id } })
  return (await findDelivery(tx, webhookId, id))!
}

interface Settled {
  job: Job
  settlement: Settlement
}

/**
 * Writes results and updates their webhooks: the failure counter and, after too many consecutive failures, the switch
 * with its reason and event.
 */
export async function settle(db: Db, authorOf: Authors, settled: readonly Settled[]): Promise<void> {
  const failing = new Set(
    settled.filter(({ settlement }) => endedFailed(settlement.status)).map(({ job }) => job.webhookId),
  )
  const uneventful = settled.filter(({ job }) => !failing.has(job.webhookId)).map(({ settlement }) => settlement)
  const written = uneventful.length > 0 ? await settleUneventful(db, uneventful) : new Set<string>()
  const others = settled.filter(({ settlement }) => !written.has(settlement.id))
  if (others.length > 0) await settleWithWebhooks(db, authorOf, others)
}

/** Settles results in one transaction with the webhooks that they change. */
async function settleWithWebhooks(db: Db, authorOf: Authors, settled: readonly Settled[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ids = [...new Set(settled.map(({ job }) => job.webhookId))]
    const webhooks = await lockWebhooks(tx, ids)
    const written = await settleDeliveries(
      tx,
      settled.map(({ settlement }) => settlement),
    )
    for (const webhook of webhooks) {
      const outcomes = settled
        .filter(({ job, settlement }) => job.webhookId === webhook.id && written.has(settlement.id))
        .map(({ job, settlement }) => ({ status: settlement.status, isTest: job.isTest }))
      const health = healthAfter(webhook, outcomes)
      const disabled = webhook.enabled && !health.enabled
      if (!disabled && health.consecutiveFailures === webhook.consecutiveFailures) continue
      const author = authorOf(systemActor('webhook deliveries'))
      const version = disabled ? webhook.version + 1 : webhook.version
      const why = disabled ? { disabledAt: author.now, disableReason } : {}
      const updatedAt = disabled ? author.now : webhook.updatedAt
      await saveWebhook(tx, { ...webhook, ...health, ...why, version, updatedAt })
      if (!disabled) continue
      const { id, name, orgId, projectId } = webhook
      await author.record(tx, {
        orgId,
        projectId,
        action: 'webhook.disable',
        object: { type: 'webhook', id, name },
        after: { enabled: false, disableReason },
        events: [
          { name: 'webhook.disabled', payload: { webhook: { id, name, enabled: false }, reason: disableReason } },
        ],
      })
    }
  })
}

function recordWebhookChange(
  tx: Tx,
  by: Author,
  webhook: Webhook,
  action: Exclude<ActionOn<'webhook'>, 'webhook.disable'>,
  states: { before?: unknown; after?: unknown },
): Promise<void> {
  const { id, name, enabled, orgId, projectId } = webhook
  const [event] = actions[action].events
  return by.record(tx, {
    orgId,
    projectId,
    action,
    object: { type: 'webhook', id, name },
    ...states,
    events: [{ name: event, payload: { webhook: { id, name, enabled } } }],
  })
}
