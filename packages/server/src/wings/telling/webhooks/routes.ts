import { z } from 'zod'
import { invalid, isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { abandon, begin, saveAnswer } from '../../../http/idempotency.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Author } from '../../../platform/outbox.ts'
import { attempt, leaseEnd } from '../../../platform/queue/index.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { findProject, projectParams } from '../../flags/projects/index.ts'
import {
  createWebhook,
  deleteWebhook,
  recordTestPing,
  replayDeliveries,
  retryDelivery,
  rotateSecret,
  settle,
  updateWebhook,
  webhookEtag,
} from './actions.ts'
import {
  type Delivery,
  findDelivery,
  findJob,
  findWebhook,
  listDeliveries,
  listWebhooks,
  type Webhook,
} from './queries.ts'
import {
  createdWebhookSchema,
  createWebhookBody,
  deliveryParams,
  deliverySchema,
  replayBody,
  replayedSchema,
  secretSchema,
  updateWebhookBody,
  webhookParams,
  webhookSchema,
} from './schema.ts'
import { type DeliveryContext, webhookKind } from './worker.ts'

export interface WebhookContext extends DeliveryContext {
  cursors: Cursors
  /** Why a URL may not be saved, if so. */
  checkUrl: (url: string) => Promise<string | undefined>
}

const listedMs = 30 * 86_400_000

export function webhookRoutes(route: Route, context: WebhookContext): void {
  const { database, cursors, checkUrl, seal, now } = context
  const { db } = database
  const all = {
    tag: 'Webhook',
    feature: 'integrations_api_export' as const,
    rateFamily: 'webhooks' as const,
    params: projectParams,
    find: ({ projectId }: { projectId: string }, caller: InOrganization) =>
      findProject(db, caller.organization.id, projectId),
  }
  const one = {
    ...all,
    params: webhookParams,
    find: ({ projectId, webhookId }: WebhookPath, caller: InOrganization) =>
      findWebhook(db, caller.organization.id, projectId, webhookId),
  }
  const url = '/api/v1/projects/:projectId/webhooks'

  route({
    ...all,
    method: 'GET',
    url,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Newest first.',
    scope: 'webhooks:read',
    query: pageQuery,
    data: webhookSchema.array(),
    paged: true,
    async handle({ found: project, query }) {
      const list = ['webhooks', project.orgId, project.id]
      const read = (after: string | null, limit: number) => listWebhooks(db, project.id, after, limit)
      return cursors.list(query, list, read, (rows) => rows.map(presentWebhook))
    },
  })

  route({
    ...all,
    method: 'POST',
    url,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: 'The signing secret is in this answer and nowhere else.',
    scope: 'webhooks:write',
    body: createWebhookBody,
    data: createdWebhookSchema,
    status: 201,
    prepare: ({ body }) => refusesUrl(body.url),
    async handle({ found: project, by, body }) {
      const where = { orgId: project.orgId, projectId: project.id }
      const created = await inTransaction(db, (tx) => createWebhook(tx, seal, by, where, body))
      if (isRefusal(created)) return created
      const { webhook, secret } = created
      return { data: { ...presentWebhook(webhook), secret }, etag: webhookEtag(webhook) }
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:webhookId`,
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    scope: 'webhooks:read',
    data: webhookSchema,
    handle: async ({ found }) => answerWebhook(found),
  })

  route({
    ...one,
    method: 'PATCH',
    url: `${url}/:webhookId`,
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description: '`events` replaces the whole list. Enabling clears the reason and the count of failures.',
    scope: 'webhooks:write',
    body: updateWebhookBody,
    data: webhookSchema,
    conditional: true,
    prepare: async ({ body }) => (body.url === undefined ? undefined : refusesUrl(body.url)),
    async handle({ found, by, body, ifMatch }) {
      return answerWebhook(await inTransaction(db, (tx) => updateWebhook(tx, by, ifMatch, found.id, body)))
    },
  })

  route({
    ...one,
    method: 'DELETE',
    url: `${url}/:webhookId`,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Together with its history of deliveries.',
    scope: 'webhooks:write',
    data: z.null(),
    async handle({ found, by }) {
      return answerData(await inTransaction(db, (tx) => deleteWebhook(tx, by, found.id)))
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:webhookId/secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the signing secret',
    description: 'The old one stops at once; deliveries that exist keep theirs.',
    scope: 'webhooks:write',
    data: secretSchema,
    async handle({ found, by }) {
      return answerData(await inTransaction(db, (tx) => rotateSecret(tx, seal, by, found.id)))
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:webhookId/test`,
    operationId: 'testWebhook',
    summary: 'Send a test ping',
    description: 'Answers 200 even if the endpoint fails: read `status`.',
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
        // A ping without an answer may be asked for again.
        if (idempotency) await abandon(db, idempotency)
      }
    },
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:webhookId/deliveries`,
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    description: 'Of the last 30 days, newest first.',
    scope: 'webhooks:read',
    query: pageQuery,
    data: deliverySchema.array(),
    paged: true,
    async handle({ found, query }) {
      const list = ['deliveries', found.orgId, found.projectId, found.id]
      const since = new Date(now().getTime() - listedMs)
      const read = (after: string | null, limit: number) => listDeliveries(db, found.id, since, after, limit)
      return cursors.list(query, list, read, (rows) => rows.map(presentDelivery))
    },
  })

  route({
    ...all,
    method: 'POST',
    url: `${url}/:webhookId/deliveries/:deliveryId/retry`,
    operationId: 'retryDelivery',
    summary: 'Retry a failed delivery',
    description: '`deliveryId` is the record’s `id`. A new cycle of attempts starts at once.',
    scope: 'webhooks:write',
    params: deliveryParams,
    data: deliverySchema,
    async find(params: WebhookPath & { deliveryId: string }, caller: InOrganization) {
      const webhook = await findWebhook(db, caller.organization.id, params.projectId, params.webhookId)
      return webhook && findDelivery(db, webhook.id, params.deliveryId)
    },
    async handle({ found, by }) {
      const which = { webhookId: found.destinationId, recordId: found.id }
      const delivery = await inTransaction(db, (tx) => retryDelivery(tx, by, which))
      return isRefusal(delivery) ? delivery : { data: presentDelivery(delivery) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:webhookId/deliveries/replay`,
    operationId: 'replayDeliveries',
    summary: 'Send a range of deliveries again',
    description: 'What failed in a range of time, or all of it, each as a new cycle of attempts with its delivery id.',
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

const answerWebhook = (webhook: Webhook | Refusal) =>
  isRefusal(webhook) ? webhook : { data: presentWebhook(webhook), etag: webhookEtag(webhook) }

const answerData = <Data>(result: Data | Refusal) => (isRefusal(result) ? result : { data: result })

function presentWebhook({ version: _version, secretId: _secretId, ...webhook }: Webhook) {
  return {
    ...webhook,
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
