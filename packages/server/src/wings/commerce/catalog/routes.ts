import { isRefusal } from '../../../catalogue/refusals.ts'
import type { Caller } from '../../../http/credentials.ts'
import { versionEtag } from '../../../http/etag.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Jobs } from '../../../platform/jobs/index.ts'
import { findProject, type Project, projectParams } from '../../flags/projects/index.ts'
import {
  type Catalog,
  countFacet,
  findCatalog,
  findProduct,
  idFault,
  listCategories,
  listItems,
  listProducts,
  listRevisions,
} from '../../model/catalog/index.ts'
import { jobSchema, presentJob } from '../../model/jobs/index.ts'
import { type Numbering, saveBatch, updateSettings } from './actions.ts'
import { maxBatch, maxShownProblems } from './batch.ts'
import { presentCatalog, presentProduct, presentRevision, presentWhole } from './present.ts'
import { requestRestore } from './restoring/actions.ts'
import {
  batchBody,
  batchSchema,
  catalogBody,
  catalogSchema,
  categorySchema,
  facetQuery,
  facetSchema,
  maxShownItems,
  productFilters,
  productParams,
  productSchema,
  revisionParams,
  revisionSchema,
  wholeProductSchema,
} from './schema.ts'

const maxBatchBytes = 8 * 1024 * 1024
/** Fields and list items of a thousand items that have everything. */
const maxBatchFields = 200_000

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function catalogRoutes(
  route: Route,
  { db, cursors, events, jobs }: { db: Db; cursors: Cursors; events: Numbering; jobs: Jobs },
): void {
  const url = '/api/v1/projects/:projectId/catalog'
  const shared = {
    tag: 'Catalog',
    params: projectParams,
    find: ({ projectId }: { projectId: string }, caller: Caller) => findProject(db, caller.organization.id, projectId),
  } as const
  const which = ({ id: projectId, orgId }: Project) => ({ orgId, projectId })
  const answer = (catalog: Catalog) => ({
    data: presentCatalog(catalog),
    etag: versionEtag('catalog', catalog.version),
  })

  route({
    ...shared,
    method: 'GET',
    url,
    operationId: 'getCatalog',
    summary: 'Get the catalog',
    description: 'Its settings, its revision and what it contains. The ETag counts changes of the settings.',
    scope: 'catalog:read',
    data: catalogSchema,
    etag: true,
    handle: async ({ found }) => answer((await findCatalog(db, which(found)))!),
  })

  route({
    ...shared,
    method: 'PATCH',
    url,
    operationId: 'updateCatalog',
    summary: 'Update the settings of the catalog',
    description: 'A new reporting currency needs new rates, unless there are none.',
    scope: 'catalog:write',
    body: catalogBody,
    data: catalogSchema,
    etag: true,
    conditional: true,
    async handle({ found, by, body, ifMatch }) {
      const catalog = await updateSettings({ db, events }, by, ifMatch, which(found), body)
      return isRefusal(catalog) ? catalog : answer(catalog)
    },
  })

  route({
    ...shared,
    method: 'GET',
    url: `${url}/products`,
    operationId: 'listProducts',
    summary: 'List products',
    description:
      'In the order of the UTF-8 bytes of their ids. Each page shows the newest revision. With `availability` alone, 200,000 items are looked at for a page, so it can have fewer products than `limit`, or none, although others follow.',
    scope: 'catalog:read',
    query: { ...pageQuery, ...productFilters },
    data: productSchema.array(),
    paged: true,
    handle: ({ found: { id: projectId }, query }) => {
      const { limit: _limit, cursor: _cursor, ...filter } = query
      return cursors.list(
        query,
        ['products', projectId, filter.q, filter.category, filter.brand, filter.availability],
        (after, limit) => listProducts(db, projectId, filter, after, limit),
        (rows) => rows.map(presentProduct),
      )
    },
  })

  route({
    ...shared,
    method: 'GET',
    url: `${url}/products/:productId`,
    operationId: 'getProduct',
    summary: 'Get a product with its items',
    description: `Shows up to ${maxShownItems} items; \`itemCount\` is the number of all.`,
    scope: 'catalog:read',
    params: productParams,
    data: wholeProductSchema,
    async find({ projectId, productId }, caller) {
      const project = await findProject(db, caller.organization.id, projectId)
      // The database fails at a NUL, rather than find nothing.
      return project && idFault(productId) === undefined ? findProduct(db, project.id, productId) : undefined
    },
    async handle({ found: product, params }) {
      const items = await listItems(db, params.projectId, product.id, maxShownItems)
      return { data: presentWhole(product, items) }
    },
  })

  route({
    ...shared,
    method: 'GET',
    url: `${url}/categories`,
    operationId: 'listCategories',
    summary: 'List the categories of items',
    description: 'In the order of their UTF-8 bytes, so each category is followed by those below it.',
    scope: 'catalog:read',
    query: pageQuery,
    data: categorySchema.array(),
    paged: true,
    handle: ({ found: { id: projectId }, query }) =>
      cursors.list(
        query,
        ['categories', projectId],
        (after, limit) => listCategories(db, projectId, after, limit),
        (rows) => rows.map(({ id: category, items }) => ({ category, items })),
      ),
  })

  route({
    ...shared,
    method: 'GET',
    url: `${url}/facets`,
    operationId: 'getCatalogFacet',
    summary: 'Count products by brand or category',
    description:
      'The values of `field` among the products that pass the other filters, with how many products have each. The filter of the field itself is left out, so that another value can be chosen. A product counts for a category and for those above it.',
    scope: 'catalog:read',
    query: { ...facetQuery, limit: pageQuery.limit.meta({ description: 'The most values, 1 to 100.' }) },
    data: facetSchema,
    async handle({ found: { id: projectId }, query: { field, find, limit, ...filter } }) {
      const { values, isCut, isWhole } = await countFacet(db, projectId, { field, filter, find, limit })
      return { data: { values, hasMore: isCut, isWhole } }
    },
  })

  route({
    ...shared,
    method: 'POST',
    url: `${url}/items/batch`,
    operationId: 'saveItems',
    summary: 'Add, replace and remove items',
    description: `Up to ${maxBatch} items and deletions, of which all are saved or none: if something is wrong, \`details.issues\` names the first ${maxShownProblems} faults. The batch becomes visible as one revision before the call returns. Items of a source cannot be changed here. While a job writes the catalog, the answer is 409 with \`Retry-After\`.`,
    scope: 'catalog:write',
    body: batchBody,
    upload: { maxBytes: maxBatchBytes, maxItems: maxBatchFields },
    data: batchSchema,
    refusals: ['catalog_busy'],
    async handle({ found, by, body }) {
      const saved = await saveBatch(db, by, which(found), body)
      if (isRefusal(saved)) return saved
      const { warnings, ...changes } = saved
      return {
        data: { ...changes, warnings: warnings.slice(0, maxShownProblems), warningCount: warnings.length },
      }
    },
  })

  route({
    ...shared,
    method: 'GET',
    url: `${url}/revisions`,
    operationId: 'listCatalogRevisions',
    summary: 'List the revisions of the catalog',
    description: 'Newest first. Revisions are kept for 7 days, and the newest 10 longer.',
    scope: 'catalog:read',
    query: pageQuery,
    data: revisionSchema.array(),
    paged: true,
    handle: ({ found: { id: projectId }, query }) =>
      cursors.list(
        query,
        ['catalog revisions', projectId],
        (before, limit) => listRevisions(db, projectId, before, limit),
        (rows) => rows.map(presentRevision),
      ),
  })

  route({
    ...shared,
    method: 'POST',
    url: `${url}/revisions/:revision/restore`,
    operationId: 'restoreCatalogRevision',
    summary: 'Restore a revision of the catalog',
    description:
      'Makes a new revision with the items of an old one. What supplements say stays as it is. The answer is the job that does this; call `getJob` to see when it ends. The next sync of a source brings the items of its feed again.',
    scope: 'catalog:write',
    params: revisionParams,
    data: jobSchema,
    status: 202,
    async handle({ found, by, params }) {
      const job = await requestRestore({ db, jobs }, by, found, params.revision)
      return isRefusal(job) ? job : { data: presentJob(job) }
    },
  })
}
