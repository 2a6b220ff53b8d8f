import { figureEvents, refusesTelling, seesFigures, shownBody } from '../../../catalogue/figures.ts'
import { isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import type { Scope } from '../../../catalogue/scopes.ts'
import { idField } from '../../../fields.ts'
import type { Caller } from '../../../http/credentials.ts'
import { abandon, begin, saveAnswer } from '../../../http/idempotency.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { OneOf } from '../../../nouns/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { leaseEnd } from '../../../platform/queue/index.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import type { ReplayRange } from './actions.ts'
import { type Delivery, findDelivery, listDeliveries } from './queries.ts'
import { deliveryFilters, deliverySchema, replayBody, replayedSchema } from './schema.ts'
import type { DeliveryContext } from './worker.ts'

const listedMs = 30 * 86_400_000

interface Row {
  id: string
  orgId: string
  projectId: string
}

/** What the routes of deliveries need of the noun that they belong to. */
export interface DeliveryRoutes<R extends Row> {
  one: OneOf<R>
  url: string
  /** The parameter in the address of one delivery. */
  record: 'deliveryId' | 'recordId'
  /** In the names of the operations: `list…Deliveries`. */
  noun: '' | 'Destination'
  /** In the name of the operation that sends a ping. */
  pinged: string
  scopes: { read: Scope; write: Scope }
  context: DeliveryContext & { cursors: Cursors }
  find: (caller: Pick<Caller, 'organization' | 'projects'>, params: Record<string, string>) => Promise<R | undefined>
  ping: (by: Author, id: string) => Promise<Delivery | Refusal>
  retry: (tx: Tx, by: Author, which: { destinationId: string; recordId: string }) => Promise<Delivery | Refusal>
  replay: (tx: Tx, by: Author, id: string, range: ReplayRange) => Promise<{ replayed: number } | Refusal>
}

/** Registers the test ping, the deliveries of a destination, and how they are sent again. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function deliveryRoutes<R extends Row>(route: Route, noun: DeliveryRoutes<R>): void {
  const { one, url, scopes, context, record } = noun
  const { cursors, now } = context
  const { db } = context.database

  route({
    ...one,
    method: 'POST',
    url: `${url}/test`,
    operationId: `test${noun.pinged}`,
    summary: 'Send a test ping',
    description: 'The response is 200 even if the endpoint fails. Its `status` says whether the ping arrived.',
    scope: scopes.write,
    data: deliverySchema,
    idempotent: 'by itself',
    async handle({ found, by, idempotency, storable, caller }) {
      const underWayMs = leaseEnd(by.now, context.settings.timeoutMs).getTime() - by.now.getTime()
      const earlier = idempotency && (await begin(db, idempotency, by.now, underWayMs))
      if (earlier) return isRefusal(earlier) ? earlier : { replay: earlier }
      try {
        const delivery = await noun.ping(by, found.id)
        if (isRefusal(delivery)) return delivery
        const answer = { data: presentDelivery(delivery, caller) }
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
    operationId: `list${noun.noun}Deliveries`,
    summary: 'List deliveries',
    description: 'Lists the deliveries of the last 30 days, newest first.',
    scope: scopes.read,
    query: { ...pageQuery, ...deliveryFilters },
    data: deliverySchema.array(),
    paged: true,
    readsLikeAWrite: true,
    async handle({ found, query, caller }) {
      const { limit: _limit, cursor: _cursor, ...filters } = query
      const list = ['deliveries', found.orgId, found.projectId, found.id, filters]
      const since = new Date(Math.max(now().getTime() - listedMs, filters.since?.getTime() ?? 0))
      const read = (after: string | null, limit: number) =>
        listDeliveries(db, found.id, { ...filters, since }, after, limit)
      return cursors.list(query, list, read, (rows) => rows.map((row) => presentDelivery(row, caller)))
    },
  })

  const oneDelivery = {
    ...one,
    params: { ...one.params, [record]: idField },
    async find(params: Record<string, string>, caller: Pick<Caller, 'organization' | 'projects'>) {
      const row = await noun.find(caller, params)
      const delivery = row && (await findDelivery(db, row.id, params[record]!))
      return delivery && { row, delivery }
    },
    refusesFound: ({ row }: { row: R }, caller: Pick<Caller, 'projects'>) => one.refusesFound?.(row, caller),
  }

  route({
    ...oneDelivery,
    method: 'GET',
    url: `${url}/deliveries/:${record}`,
    operationId: `get${noun.noun}Delivery`,
    summary: 'Get a delivery',
    description: `\`${record}\` is the record’s \`id\`.`,
    scope: scopes.read,
    data: deliverySchema,
    readsLikeAWrite: true,
    handle: async ({ found: { delivery }, caller }) => ({ data: presentDelivery(delivery, caller) }),
  })

  route({
    ...oneDelivery,
    method: 'POST',
    url: `${url}/deliveries/:${record}/retry`,
    operationId: `retry${noun.noun}Delivery`,
    summary: 'Retry a failed delivery',
    description: `\`${record}\` is the record’s \`id\`. A new cycle of attempts starts at once.`,
    scope: scopes.write,
    data: deliverySchema,
    prepare: async ({ found: { delivery }, caller }) => refusesTelling(delivery.eventType, caller),
    async handle({ found: { delivery }, by, caller }) {
      const which = { destinationId: delivery.destinationId, recordId: delivery.id }
      const retried = await inTransaction(db, (tx) => noun.retry(tx, by, which))
      return isRefusal(retried) ? retried : { data: presentDelivery(retried, caller) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/deliveries/replay`,
    operationId: `replay${noun.noun}Deliveries`,
    summary: 'Send a range of deliveries again',
    description:
      'Sends the failed deliveries of a time range again, or all deliveries with `includeDelivered`. Each keeps its delivery id and gets a new cycle of attempts. Without the scope `results:read`, deliveries with results are omitted.',
    scope: scopes.write,
    body: replayBody,
    data: replayedSchema,
    async handle({ found, by, body, caller }) {
      const range = seesFigures(caller) ? body : { ...body, except: figureEvents }
      const replayed = await inTransaction(db, (tx) => noun.replay(tx, by, found.id, range))
      return isRefusal(replayed) ? replayed : { data: replayed }
    },
  })
}

function presentDelivery({ body, isTest: _isTest, ...delivery }: Delivery, caller: Pick<Caller, 'scopes'>) {
  const told = JSON.parse(body) as Record<string, unknown>
  const payload = shownBody(told, caller)
  return {
    ...delivery,
    payload,
    // Answers of receivers can repeat what they were sent.
    responseBody: payload === told ? delivery.responseBody : null,
    lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
    nextRetryAt: delivery.nextRetryAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  }
}
