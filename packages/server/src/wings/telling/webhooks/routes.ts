import { refusesFigures } from '../../../catalogue/figures.ts'
import { invalid, isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import { nounRoutes } from '../../../nouns/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { attempt, leaseEnd } from '../../../platform/queue/index.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { findProject } from '../../flags/projects/index.ts'
import {
  countRetrying,
  type Delivery,
  deliveryRoutes,
  findDelivery,
  findJob,
  refusesLeading,
  settle,
} from '../deliveries/index.ts'
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
import { createdWebhookSchema, createWebhookBody, secretSchema, updateWebhookBody, webhookSchema } from './schema.ts'

export interface WebhookContext extends SendingContext {
  cursors: Cursors
  /** Why a URL is not allowed; undefined if it is. */
  checkUrl: (url: string) => Promise<string | undefined>
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function webhookRoutes(route: Route, context: WebhookContext): void {
  const { database, cursors, checkUrl, seal } = context
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
    present: presented,
    etag: webhooks.etag,
    create: {
      text: 'The response contains the signing secret. It is not shown again.',
      body: createWebhookBody,
      data: createdWebhookSchema,
      prepare: async ({ body, caller }) => refusesFigures(body.events, caller) ?? (await refusesUrl(body.url)),
      async act({ found: { orgId, id: projectId }, by, body }) {
        const created = await inTransaction(db, (tx) => createWebhook(tx, seal, by, { orgId, projectId }, body))
        return isRefusal(created) ? created : { row: created.webhook, shown: { secret: created.secret } }
      },
    },
    update: {
      text: '`events` replaces the whole list. Enabling clears the reason and the count of failures.',
      body: updateWebhookBody,
      prepare: async ({ body, caller, found }) =>
        (await refusesLeading(db, caller, found, {
          events: body.events,
          address: body.url === undefined ? undefined : 'url',
        })) ?? (body.url === undefined ? undefined : await refusesUrl(body.url)),
      act: ({ found, by, body, ifMatch }) => inTransaction(db, (tx) => updateWebhook(tx, by, ifMatch, found, body)),
    },
    texts: { delete: 'Also deletes its delivery history.' },
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

  deliveryRoutes(route, {
    one,
    url,
    record: 'deliveryId',
    noun: '',
    pinged: 'Webhook',
    scopes: { read: 'webhooks:read', write: 'webhooks:write' },
    context,
    find: (caller, params) => webhookQueries.find(db, caller.organization.id, params.projectId!, params.webhookId!),
    ping,
    retry: (tx, by, { destinationId, recordId }) => retryDelivery(tx, by, { webhookId: destinationId, recordId }),
    replay: replayDeliveries,
  })

  async function presented(rows: Webhook[]) {
    const retrying = await countRetrying(db, rows)
    return rows.map((row) => presentWebhook(row, retrying.get(row.id)!, context.settings))
  }

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
    const attempted = await attempt(webhookKind(context), job, context.now)
    observe.attempted(attempted)
    await settle(db, authorOf, [attempted])
    return (await findDelivery(db, webhookId, record.id)) ?? notFound('Webhook')
  }
}

const answerData = <Data>(result: Data | Refusal) => (isRefusal(result) ? result : { data: result })

function presentWebhook(
  { version: _version, secretId: _secretId, ...webhook }: Webhook,
  retrying: number,
  { ladderMs }: SendingContext['settings'],
) {
  return {
    ...webhook,
    retrying,
    retryDelaysMs: [...ladderMs],
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  }
}
