import { randomBytes } from 'node:crypto'
import { type ActionOn, actions } from '../../../catalogue/actions.ts'
import { invalid, isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { nounActions } from '../../../nouns/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { Seal } from '../../../platform/seal.ts'
import { keyFor } from '../../flags/projects/index.ts'
import {
  type Delivery,
  findDelivery,
  insertTestPing,
  type ReplayRange,
  replayRange,
  retryFailed,
  wakeWorkers,
} from '../deliveries/index.ts'
import { insertSecret, toggled } from '../destinations/index.ts'
import { insertWebhook, lockWebhookCount, saveWebhook, type Webhook, webhookQueries } from './queries.ts'

const maxWebhooksPerOrganization = 100
const secretBytes = 32

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
  await insertSecret(tx, { id: secretId, destinationId: id, sealed: seal.seal(secret, secretId) }, now)
  return secret
}

interface WebhookContent extends WebhookRequest {
  key: string
  enabled: boolean
}

export const webhooks = nounActions<Webhook, WebhookContent>({
  noun: 'webhook',
  place: 'organization',
  most: maxWebhooksPerOrganization,
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
  const delivery = webhook ? await retryFailed(tx, webhook, recordId, by.now) : notFound('Delivery')
  if (isRefusal(delivery)) return delivery
  await recordWebhookChange(tx, by, webhook!, 'webhook.retry_delivery', { after: { deliveryId: recordId } })
  return delivery
}

/** Sends a range of deliveries again, each as a new cycle of attempts with the current secret. */
export async function replayDeliveries(
  tx: Tx,
  by: Author,
  webhookId: string,
  range: ReplayRange,
): Promise<{ replayed: number } | Refusal> {
  const webhook = await webhookQueries.lock(tx, webhookId)
  if (!webhook) return notFound('Webhook')
  const replayed = await replayRange(tx, webhook, range, by.now)
  await recordWebhookChange(tx, by, webhook, 'webhook.replay', { after: { ...range, replayed } })
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
  const id = await insertTestPing(tx, webhook, leaseUntil, by.now)
  await recordWebhookChange(tx, by, webhook, 'webhook.test', { after: { deliveryId: id } })
  return (await findDelivery(tx, webhookId, id))!
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
