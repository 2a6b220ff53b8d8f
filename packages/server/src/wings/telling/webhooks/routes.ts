import { z } from 'zod'
import { invalid, isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import {
  abandon,
  begin,
  earlierAnswer,
  type IdempotentRequest,
  once,
  type StoredAnswer,
  saveAnswer,
} from '../../../http/idempotency.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Answer, Route } from '../../../http/route.ts'
import type { Tx } from '../../../platform/db/index.ts'
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
  const idempotent = (request: IdempotentRequest, at: Date) => earlierAnswer(db, request, at)

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
    idempotent,
    async handle(call) {
      const { found: project, by, body } = call
      const where = { orgId: project.orgId, projectId: project.id }
      const answerOf = (secret: string | null, webhook: Webhook) => ({
        data: { ...presentWebhook(webhook), secret },
        etag: webhookEtag(webhook),
      })
      return write(call, {
        prepare: () => refusesUrl(body.url),
        work: (tx) => createWebhook(tx, seal, by, where, body),
        answer: ({ webhook, secret }) => answerOf(secret, webhook),
        stored: ({ webhook }) => answerOf(null, webhook),
      })
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
    idempotent,
    async handle(call) {
      const { found, by, body, ifMatch } = call
      return write(call, {
        prepare: async () => (body.url === undefined ? undefined : refusesUrl(body.url)),
        work: (tx) => updateWebhook(tx, by, ifMatch, found.id, body),
        answer: answerWebhook,
      })
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
    idempotent,
    async handle(call) {
      const { found, by } = call
      return write(call, { work: (tx) => deleteWebhook(tx, by, found.id), answer: () => ({ data: null }) })
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
    idempotent,
    async handle(call) {
      const { found, by } = call
      return write(call, {
        work: (tx) => rotateSecret(tx, seal, by, found.id),
        answer: ({ secret }): Answer<{ secret: string | null }> => ({ data: { secret } }),
        stored: () => ({ data: { secret: null } }),
      })
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
    idempotent,
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
    idempotent,
    async find(params: WebhookPath & { deliveryId: string }, caller: InOrganization) {
      const webhook = await findWebhook(db, caller.organization.id, params.projectId, params.webhookId)
      return webhook && findDelivery(db, webhook.id, params.deliveryId)
    },
    async handle(call) {
      const { found, by } = call
      const which = { webhookId: found.destinationId, recordId: found.id }
      return write(call, {
        work: (tx) => retryDelivery(tx, by, which),
        answer: (delivery) => ({ data: presentDelivery(delivery) }),
      })
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
    idempotent,
    async handle(call) {
      const { found, by, body } = call
      return write(call, {
        work: (tx) => replayDeliveries(tx, by, found.id, body),
        answer: (replayed) => ({ data: replayed }),
      })
    },
  })

  async function refusesUrl(text: string): Promise<Refusal | undefined> {
    const problem = await checkUrl(text)
    return problem === undefined ? undefined : invalid({ path: ['url'], message: problem })
  }

  /** A write that happens once for its key; what has to wait for other hosts comes before the transaction. */
  async function write<Result, Data>(
    { idempotency, storable, by }: Writing,
    {
      prepare,
      work,
      answer,
      stored = answer,
    }: {
      prepare?: () => Promise<Refusal | undefined>
      work: (tx: Tx) => Promise<Result | Refusal>
      answer: (result: Result) => Answer<Data>
      /** The answer without its secrets. */
      stored?: (result: Result) => Answer<Data>
    },
  ): Promise<Answer<Data> | { replay: StoredAnswer } | Refusal> {
    const refusal = await prepare?.()
    if (refusal) return refusal
    const outcome = await once(db, idempotency, by.now, work, (result) => storable(stored(result)))
    return 'result' in outcome ? answer(outcome.result) : outcome
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

interface Writing {
  idempotency: IdempotentRequest | null
  storable: (answer: Answer<unknown>) => StoredAnswer
  by: Author
}

const answerWebhook = (webhook: Webhook) => ({ data: presentWebhook(webhook), etag: webhookEtag(webhook) })

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
