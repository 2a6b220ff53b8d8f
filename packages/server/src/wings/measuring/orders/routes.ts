import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { findProject, projectParams } from '../../flags/projects/index.ts'
import { findCatalog } from '../../model/catalog/index.ts'
import { findOrder, listOrders, type StoredOrder, summarize } from './queries.ts'
import { orderFilters, orderParams, orderSchema, summaryQuery, summarySchema } from './schema.ts'
import { daysOf, filledSummary } from './summary.ts'

interface Context {
  db: Db
  cursors: Cursors
  now: () => Date
}

export function orderRoutes(route: Route, { db, cursors, now }: Context): void {
  const tag = 'Order'
  const url = '/api/v1/projects/:projectId/orders'
  const scope = 'orders:read'
  const ofProject = {
    tag,
    scope,
    params: projectParams,
    find: ({ projectId }: { projectId: string }, caller: { organization: { id: string } }) =>
      findProject(db, caller.organization.id, projectId),
  } as const

  route({
    ...ofProject,
    method: 'GET',
    url,
    operationId: 'listOrders',
    summary: 'List orders',
    description: 'Those that were placed last come first.',
    query: { ...pageQuery, ...orderFilters },
    data: orderSchema.array(),
    paged: true,
    async handle({ found: { id: projectId }, query }) {
      const { limit: _limit, cursor: _cursor, since, until, ...same } = query
      const filter = { ...same, since: dateOf(since), until: dateOf(until) }
      // No order is in an environment whose id is not one.
      const isNone = filter.envId !== undefined && !isId(filter.envId)
      return cursors.list(
        query,
        ['orders', projectId, filter],
        async (after, limit): Promise<StoredOrder[]> =>
          isNone ? [] : listOrders(db, { projectId, ...filter }, after, limit),
        (rows) => rows.map(presentOrder),
      )
    },
  })

  route({
    ...ofProject,
    method: 'GET',
    url: `${url}/summary`,
    operationId: 'summarizeOrders',
    summary: 'Summarize orders by day',
    description: 'Days are those of UTC, by the time at which orders were placed; 366 at most.',
    query: summaryQuery,
    data: summarySchema,
    async handle({ found: { id: projectId, orgId }, query: { envId, ...asked } }) {
      const range = daysOf(asked, now())
      if ('refusal' in range) return range.refusal
      const isNone = envId !== undefined && !isId(envId)
      const rows = isNone ? [] : await summarize(db, { projectId, envId, ...range })
      const currency = (await findCatalog(db, { orgId, projectId }))?.currency ?? null
      return { data: { currency, ...filledSummary(rows, range) } }
    },
  })

  route({
    tag,
    scope,
    method: 'GET',
    url: `${url}/:orderId`,
    operationId: 'getOrder',
    summary: 'Get an order',
    params: orderParams,
    data: orderSchema,
    find: async ({ projectId, orderId }, caller) =>
      isId(projectId) && isId(orderId)
        ? findOrder(db, { orgId: caller.organization.id, projectId, id: orderId })
        : undefined,
    handle: async ({ found }) => ({ data: presentOrder(found) }),
  })
}

/** The database knows fewer offsets than ISO 8601 allows. */
const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))

function presentOrder({ placedAt, bySdk, byImport, reportingCurrency, rate, revenue, margin, ...order }: StoredOrder) {
  return {
    ...order,
    placedAt: placedAt.toISOString(),
    origin: bySdk ? (byImport ? ('BOTH' as const) : ('SDK' as const)) : ('IMPORT' as const),
    reporting:
      reportingCurrency !== null && rate !== null && revenue !== null
        ? { currency: reportingCurrency, rate, revenue, margin }
        : null,
  }
}
