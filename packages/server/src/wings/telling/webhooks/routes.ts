import { invalid, isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { abandon, begin, saveAnswer } from '../../../http/idempotency.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { nounRoutes } from '../../../nouns/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { attempt, leaseEnd } from '../../../platform/queue/index.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { findProject } from '../../flags/projects/index.ts'
import { type Delivery, findDelivery, findJob, listDeliveries, settle } from '../destinations/index.ts'
import {
  createWebhook,
  deleteWebhook,
  recordTestPing,
  replayDeliveries,
  retryDelivery,
  rotateSecret,
  updateWebhook,
  webhooks,
} from './actions.ts'
import { type SendingContext, webhookKind } from './kind.ts'
import { type Webhook, webhookQueries } from './queries.ts'
import {
  createdWebhookSchema,
  createWebhookBody,
  deliveryFilters,
  deliveryParams,
  deliverySchema,
  replayBody,
  replayedSchema,
  secretSchema,
  updateWebhookBody,
  webhookSchema,
} from './schema.ts'

export interface WebhookContext extends SendingContext {
  cursors: Cursors
  /** Why a URL is not allowed; undefined if it is. */
  checkUrl: (url: string) => Promise<string | undefined>
}

const listedMs = 30 * 86_400_000

export function webhookRoutes(route: Route, context: WebhookContext): void {
  const { database, cursors, checkUrl, seal, now } = context
  const { db } = database
  const manners = { feature: 'integrations_api_export', rateFamily: 'webhooks' } as const

  const { one, url } = nounRoutes(route, {
    name: 'Webhook',
    one: 'a webhook',
    many: 'webhooks',
    scopes: { read: 'webhooks:read', write: 'webhooks:write' },
    manners,
    data: webhookSchema,
    cursors,
    db,
    findProject,
    queries: webhookQueries,
    present: (rows: Webhook[]) => rows.map((row) => presentWebhook(row, context.settings)),
    etag: webhooks.etag,
    create: {
      text: 'The response contains the signing secret. It is not shown again.',
      body: createWebhookBody,
      data: createdWebhookSchema,
      prepare: ({ body }) => refusesUrl(body.url),
      async act({ found: { orgId, id: projectId }, by, body }) {
        const created = await inTransaction(db, (tx) => createWebhook(tx, seal, by, { orgId, projectId }, body))
        return isRefusal(created) ? created : { row: created.webhook, shown: { secret: created.secret } }
      },
    },
    update: {
      text: '`events` replaces the whole list. Enabling clears the reason and the count of failures.',
      body: updateWebhookBody,
      prepare: async ({ body }) => (body.url === undefined ? undefined : refusesUrl(body.url)),
      act: ({ found, by, body, ifMatch }) => inTransaction(db, (tx) => updateWebhook(tx, by, ifMatch, found, body)),
    },
    texts: { delete: 'Also deletes its history of deliveries.' },
    remove: ({ found, by, ifMatch }) => inTransaction(db, (tx) => deleteWebhook(tx, by, ifMatch, found.id)),
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the signing secret',
    description:
      'New deliveries are signed with the new secret at once. Existing deliveries and their automatic retries are still signed with the old one.',
    scope: 'webhooks:write',
    data: secretSchema,
    conditional: true,
    async handle({ found, by, ifMatch }) {
      return answerData(await inTransaction(db, (tx) => rotateSecret(tx, seal, by, ifMatch, found.id)))
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/test`,
    operationId: 'testWebhook',
    summary: 'Send a test ping',
    description: 'The response is 200 even if the endpoint fails. Its `status` says whether the ping arrived.',
    scope: 'webhooks:write',
    data: deliverySchema,
    idempotent: 'by itself',
    async handle({ found, by, idempotency, storable }) {
      const underWayMs = leaseEnd(by.now, context.settings.timeoutMs).getTime() - by.now.getTime()
      const earlier = idempotency && (await begin(db, idempotency, by.now, underWayMs))
      if (earlier) return isRefusal(earlier) ? earlier : { replay: earlier }
      try {
        const delivery = await ping(by, found.id)
        if (isRefusal(delivery)) return delivery
        const answer = { data: presentDelivery(delivery) }
        if (idempotency) await saveAnswer(db, idempotency, storable(answer))
        return answer
      } finally {
        // After a failure, the caller can repeat the ping with the same key.
        if (idempotency) await abandon(db, idempotency)
      }
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/deliveries`,
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    description: 'Lists the deliveries of the last 30 days, newest first.',
    scope: 'webhooks:read',
    query: { ...pageQuery, ...deliveryFilters },
    data: deliverySchema.array(),
    paged: true,
    async handle({ found, query }) {
      const { limit: _limit, cursor: _cursor, ...filters } = query
      const list = ['deliveries', found.orgId, found.projectId, found.id, filters]
      const since = new Date(Math.max(now().getTime() - listedMs, filters.since?.getTime() ?? 0))
      const read = (after: string | null, limit: number) =>
        listDeliveries(db, found.id, { ...filters, since }, after, limit)
      return cursors.list(query, list, read, (rows) => rows.map(presentDelivery))
    },
  })

  const oneDelivery = {
    ...one,
    params: deliveryParams,
    async find(params: WebhookPath & { deliveryId: string }, caller: InOrganization) {
      const webhook = await webhookQueries.find(db, caller.organization.id, params.projectId, params.webhookId)
      return webhook && findDelivery(db, webhook.id, params.deliveryId)
    },
  }

  route({
    ...oneDelivery,
    method: 'GET',
    url: `${url}/deliveries/:deliveryId`,
    operationId: 'getDelivery',
    summary: 'Get a delivery',
    description: '`deliveryId` is the record’s `id`.',
    scope: 'webhooks:read',
    data: deliverySchema,
    handle: async ({ found }) => ({ data: presentDelivery(found) }),
  })

  route({
    ...oneDelivery,
    method: 'POST',
    url: `${url}/deliveries/:deliveryId/retry`,
    operationId: 'retryDelivery',
    summary: 'Retry a failed delivery',
    description: '`deliveryId` is the record’s `id`. A new cycle of attempts starts at once.',
    scope: 'webhooks:write',
    data: deliverySchema,
    async handle({ found, by }) {
      const which = { webhookId: found.destinationId, recordId: found.id }
      const delivery = await inTransaction(db, (tx) => retryDelivery(tx, by, which))
      return isRefusal(delivery) ? delivery : { data: presentDelivery(delivery) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/deliveries/replay`,
    operationId: 'replayDeliveries',
    summary: 'Send a range of deliveries again',
    description:
      'Sends the failed deliveries of a time range again, or all of them with `includeDelivered`. Each keeps its delivery id and gets a new cycle of attempts.',
    scope: 'webhooks:write',
    body: replayBody,
    data: replayedSchema,
    async handle({ found, by, body }) {
      return answerData(await inTransaction(db, (tx) => replayDeliveries(tx, by, found.id, body)))
    },
  })

  async function refusesUrl(text: string): Promise<Refusal | undefined> {
    const problem = await checkUrl(text)
    return problem === undefined ? undefined : invalid({ path: ['url'], message: problem })
  }

  async function ping(by: Author, webhookId: string): Promise<Delivery | Refusal> {
    const { authorOf, settings, observe } = context
    const record = await inTransaction(db, (tx) =>
      recordTestPing(tx, by, webhookId, leaseEnd(by.now, settings.timeoutMs)),
    )
    if (isRefusal(record)) return record
    const job = await findJob(db, record.id)
    if (!job) return notFound('Webhook')
    const attempted = await attempt(webhookKind(context), job, now)
    observe.attempted(attempted)
    await settle(db, authorOf, [attempted])
    return (await findDelivery(db, webhookId, record.id)) ?? notFound('Webhook')
  }
}

interface WebhookPath {
  projectId: string
  webhookId: string
}

const answerData = <Data>(result: Data | Refusal) => (isRefusal(result) ? result : { data: result })

function presentWebhook(
  { version: _version, secretId: _secretId, ...webhook }: Webhook,
  { ladderMs }: SendingContext['settings'],
) {
  return {
    ...webhook,
    retryDelaysMs: [...ladderMs],
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  }
}

function presentDelivery({ body, isTest: _isTest, ...delivery }: Delivery) {
  return {
    ...delivery,
    payload: JSON.parse(body) as Record<string, unknown>,
    lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
    nextRetryAt: delivery.nextRetryAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  }
}
