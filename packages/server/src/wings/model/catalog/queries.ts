import { type RawBuilder, sql } from 'kysely'
import { longTextColumn, textColumn } from '../../../platform/db/columns.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Availability, Item } from './item.ts'
import { type Amount, printAmount } from './money.ts'
import { type ProductFilter, searchQuery } from './search.ts'
import { catalogChannel } from './shelves/queries.ts'
import type { Version } from './version.ts'

export type OrderTrust = 'AUTO' | 'SDK' | 'CONFIRMED'

export interface Catalog {
  /** Null before the first write. */
  id: string | null
  revision: number
  version: number
  currency: string | null
  rates: Record<string, string>
  orderTrust: OrderTrust
  /** With the trust AUTO: since when orders of an environment need an import, by its id. ISO texts of PostgreSQL. */
  ordersConfirmedFrom: Record<string, string>
  items: number
  products: number
  createdAt: Date
  updatedAt: Date
}

export interface LockedCatalog extends Catalog {
  id: string
  projectName: string
  /** A job has begun to write the next revision. */
  writingJobId: string | null
  /** And it is at it now. Otherwise only left-overs of it can be there. */
  isBeingWritten: boolean
}

interface InProject {
  orgId: string
  projectId: string
}

const columns = sql`catalogs.id, coalesce(revision, 0) as revision, coalesce(catalogs.version, 1) as version, currency,
  coalesce(rates, '{}') as rates, coalesce(order_trust, 'AUTO') as "orderTrust",
  (select coalesce(jsonb_object_agg(env_id, confirmed_from), '{}') from order_confirmations
    where env_id in (select id from environments where project_id = projects.id)) as "ordersConfirmedFrom",
  coalesce(items, 0) as items, coalesce(products, 0) as products,
  coalesce(catalogs.created_at, projects.created_at) as "createdAt",
  coalesce(catalogs.updated_at, projects.created_at) as "updatedAt"`

/** Before the first write, a catalog has no row, and everything is as in a new one. */
export async function findCatalog(db: Db, { orgId, projectId }: InProject): Promise<Catalog | undefined> {
  const { rows } = await sql<Catalog>`
    select ${columns} from projects left join catalogs on catalogs.project_id = projects.id
    where projects.id = ${projectId} and org_id = ${orgId}`.execute(db)
  return rows[0]
}

/** Every writer of items or settings holds this lock until its transaction ends. */
export async function lockCatalog(
  tx: Tx,
  { orgId, projectId }: InProject,
  now: Date,
): Promise<LockedCatalog | undefined> {
  const lock = async () => {
    const { rows } = await sql<LockedCatalog>`
      select ${columns}, projects.name as "projectName", writing_job_id as "writingJobId",
        exists (select from jobs where jobs.id = writing_job_id and status = 'RUNNING' and leased_until > ${now}) as "isBeingWritten"
      from catalogs join projects on projects.id = project_id
      where project_id = ${projectId} and org_id = ${orgId} for no key update of catalogs`.execute(tx)
    return rows[0]
  }
  const locked = await lock()
  if (locked) return locked
  await sql`
    insert into catalogs (id, project_id, created_at, updated_at)
    select ${newId()}, id, ${now}, ${now} from projects where id = ${projectId} and org_id = ${orgId}
    on conflict (project_id) do nothing`.execute(tx)
  return lock()
}

/** The step in which a job waits until it can write the catalog. */
export const waitingStep = 'WAIT'

/** A job that waits is due again after seconds. One that no node takes keeps nobody waiting. */
const patienceMs = 30_000

/**
 * Whether a job has to wait for others: for the one that writes the next revision of the catalog, and for those that were
 * made before it and wait for the same.
 */
export async function hasToWait(
  db: Db,
  { id, projectId }: { id: string; projectId: string },
  now: Date,
): Promise<boolean> {
  const isHeld = sql`status = 'RUNNING' and leased_until > ${now}`
  const { rows } = await sql`
    select from jobs
    where project_id = ${projectId} and id <> ${id} and status in ('QUEUED', 'RUNNING') and (
      ${isHeld} and id = (select writing_job_id from catalogs where project_id = ${projectId})
      or id < ${id} and progress ->> 'step' = ${waitingStep} and (
        ${isHeld} or status = 'QUEUED' and reason is null and due_at > ${new Date(now.getTime() - patienceMs)}))
    limit 1`.execute(db)
  return rows.length > 0
}

export async function saveSettings(
  tx: Tx,
  projectId: string,
  { version, currency, rates, orderTrust, updatedAt }: Catalog,
): Promise<void> {
  await sql`
    update catalogs set version = ${version}, currency = ${currency}, rates = ${JSON.stringify(rates)}::jsonb,
      order_trust = ${orderTrust}, updated_at = ${updatedAt} where project_id = ${projectId}`.execute(tx)
}

/** What the writer of the next revision has to know of an item: its newest version. */
export interface LiveItem {
  itemId: string
  productId: string
  /** Null if nobody owns the item: it came by the API, or its source was deleted. */
  sourceId: string | null
  hash: string
}

/** A source that was deleted owns nothing. */
export const owner = (versions: string) => sql`(
  select catalog_sources.id from catalog_sources where catalog_sources.id = ${sql.ref(`${versions}.source_id`)})`

/**
 * The newest versions of items, each by its own look-up. While a table fills, the planner knows nothing of it, and would
 * read all items of the project for each batch.
 */
const newest = (projectId: string, itemIds: readonly string[], columns: RawBuilder<unknown>) => sql`
  unnest(${[...itemIds]}::text[]) asked (id) cross join lateral (
    select ${columns} from catalog_items
    where project_id = ${projectId} and item_id = asked.id and to_rev is null limit 1) newest`

/** Those of the items that are there, as the writer of the next revision has left them. */
export async function liveItems(db: Db, projectId: string, itemIds: readonly string[]): Promise<LiveItem[]> {
  const columns = sql`item_id, product_id, source_id, hash`
  const { rows } = await sql<LiveItem>`
    select item_id as "itemId", product_id as "productId", ${owner('newest')} as "sourceId", hash
    from ${newest(projectId, [...new Set(itemIds)], columns)}`.execute(db)
  return rows
}

/** What those of the items cost that are there, as the writer of the next revision has left them. */
export async function livePrices(
  db: Db,
  projectId: string,
  itemIds: readonly string[],
): Promise<{ itemId: string; price: Amount; currency: string }[]> {
  if (itemIds.length === 0) return []
  const { rows } = await sql<{ itemId: string; price: Amount; currency: string }>`
    select item_id as "itemId", (doc ->> 'price')::float8 as price, doc ->> 'currency' as currency
    from ${newest(projectId, itemIds, sql`item_id, doc`)}`.execute(db)
  return rows
}

interface OfSource {
  projectId: string
  sourceId: string
}

const liveOf = ({ projectId, sourceId }: OfSource) =>
  sql`project_id = ${projectId} and source_id = ${sourceId} and to_rev is null`

/** How many items of a source are there, as the writer of the next revision has left them. */
export async function countLiveOf(db: Db, of: OfSource): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from catalog_items where ${liveOf(of)}`.execute(db)
  return rows[0]!.count
}

/** Those items by their ids, as the writer of the next revision has left them. */
export async function listLiveOf(
  db: Db,
  of: OfSource,
  after: string,
  limit: number,
): Promise<Pick<LiveItem, 'itemId' | 'productId'>[]> {
  const { rows } = await sql<Pick<LiveItem, 'itemId' | 'productId'>>`
    select item_id as "itemId", product_id as "productId" from catalog_items
    where ${liveOf(of)} and item_id > ${after} order by item_id limit ${limit}`.execute(db)
  return rows
}

/** How many of these products have an item, as the writer of the next revision has left them. */
export async function countLiveProducts(db: Db, projectId: string, productIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from unnest(${[...new Set(productIds)]}::text[]) asked (id) cross join lateral (
      select from catalog_items
      where project_id = ${projectId} and product_id = asked.id and to_rev is null limit 1) live`.execute(db)
  return rows[0]!.count
}

/** Ends the newest versions of these items: from revision `revision` on, they are gone, or what replaces them counts. */
export async function closeVersions(
  tx: Tx,
  { projectId, revision }: { projectId: string; revision: number },
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    update catalog_items set to_rev = ${revision} where ctid = any(array(
      select newest.ctid from ${newest(projectId, itemIds, sql`ctid`)}))`.execute(tx)
}

/** Writes versions that count from revision `revision` on. The versions that they replace must be closed before. */
export async function insertVersions(
  tx: Tx,
  { projectId, revision, sourceId }: { projectId: string; revision: number; sourceId: string | null },
  rows: readonly Version[],
): Promise<void> {
  if (rows.length === 0) return
  const column = (valueIn: (row: Version) => string) => textColumn(rows, valueIn)
  await sql`
    insert into catalog_items (project_id, from_rev, source_id, item_id, product_id, hash, category, price, availability,
      words, doc)
    select ${projectId}::uuid, ${revision}::bigint, ${sourceId}::uuid, unnest(${column(({ itemId }) => itemId)}::text[]),
      unnest(${column(({ productId }) => productId)}::text[]), unnest(${column(({ hash }) => hash)}::text[]),
      unnest(${column(({ category }) => category)}::text[]), unnest(${column((row) => printAmount(row.price))}::numeric[]),
      unnest(${column(({ availability }) => availability)}::text[]), unnest(${column(({ words }) => words)}::tsvector[]),
      unnest(${longTextColumn(rows, ({ doc }) => doc)}::text[]::jsonb[])`.execute(tx)
}

export interface Changes {
  added: number
  changed: number
  removed: number
  unchanged: number
}

export interface Activation extends Changes {
  projectId: string
  /** The revision that becomes visible: the one after the visible one. */
  revision: number
  /** How many products there are more than before. */
  moreProducts: number
  madeBy: { type: string; id: string | null; name: string }
  jobId: string | null
  sourceId: string | null
  now: Date
}

/** Makes the versions of the next revision visible. The caller holds the lock of the catalog and has compared revisions. */
export async function activate(tx: Tx, made: Activation): Promise<{ items: number; products: number }> {
  const { projectId, revision, added, changed, removed, unchanged, madeBy, jobId, sourceId, now } = made
  const { rows } = await sql<{ items: number; products: number }>`
    with shown as (
      update catalogs set revision = ${revision}, items = items + ${added - removed}::integer,
        products = products + ${made.moreProducts}::integer, writing_job_id = null, writing_claims = null,
        updated_at = ${now}
      where project_id = ${projectId} and revision = ${revision - 1} returning items, products
    )
    insert into catalog_revisions (project_id, revision, made_at, made_by, job_id, source_id, added, changed, removed,
      unchanged, items, products)
    select ${projectId}::uuid, ${revision}::bigint, ${now}::timestamptz, ${JSON.stringify(madeBy)}::jsonb,
      ${jobId}::uuid, ${sourceId}::uuid, ${added}::integer, ${changed}::integer, ${removed}::integer,
      ${unchanged}::integer, items, products
    from shown returning items, products,
      pg_notify(${catalogChannel}, project_id || ' ' || revision)`.execute(tx)
  const [shown] = rows
  if (!shown) throw new Error(`The catalog of project ${projectId} is not at revision ${revision - 1}.`)
  return { items: shown.items, products: shown.products }
}

export interface Writer {
  jobId: string
  /** The fence of the job. */
  claims: number
}

/**
 * Notes that a job writes the next revision. Until it activates it, or ends, batches of others are refused. The caller
 * holds the lock of the catalog and has undone what a dead writer left.
 */
export async function beginWriting(tx: Tx, projectId: string, { jobId, claims }: Writer): Promise<void> {
  await sql`
    update catalogs set writing_job_id = ${jobId}, writing_claims = ${claims} where project_id = ${projectId}`.execute(
    tx,
  )
}

/** Whether the job is still the one that writes. In a transaction, this also keeps it so. */
export async function isWriting(tx: Tx, projectId: string, { jobId, claims }: Writer): Promise<boolean> {
  const { rows } = await sql`
    select from catalogs where project_id = ${projectId} and writing_job_id = ${jobId} and writing_claims = ${claims}
    for share`.execute(tx)
  return rows.length > 0
}

/**
 * Lets this transaction end before the disk has it. Nobody sees its versions before the revision is made visible, and
 * that transaction waits for the disk with everything before it. After a crash, the job begins again.
 */
export async function endBeforeDisk(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}

/** Lets others write. What the job has left was undone before. */
export async function endWriting(tx: Tx, projectId: string): Promise<void> {
  await sql`update catalogs set writing_job_id = null, writing_claims = null where project_id = ${projectId}`.execute(
    tx,
  )
}

/**
 * Undoes up to `limit` versions that a writer has left of a revision that never became visible. Returns whether nothing
 * is left. The caller holds the lock of the catalog.
 */
export async function undoLeftOvers(
  tx: Tx,
  { projectId, revision }: { projectId: string; revision: number },
  limit: number,
): Promise<boolean> {
  let undone = 0
  for (const table of ['catalog_items', 'catalog_values'].map((name) => sql.table(name))) {
    const some = (which: RawBuilder<unknown>) => sql`ctid = any(array(
      select ctid from ${table} where project_id = ${projectId} and ${which} limit ${limit - undone}::integer))`
    // First those that replace others: two open versions of an item would be no state of a catalog.
    const gone = await sql`delete from ${table} where ${some(sql`from_rev > ${revision}`)} returning 1`.execute(tx)
    undone += gone.rows.length
    const opened = await sql`
      update ${table} set to_rev = null where ${some(sql`to_rev > ${revision}`)} returning 1`.execute(tx)
    undone += opened.rows.length
  }
  return undone < limit
}

const visible = (table: string) => sql`${sql.ref(`${table}.from_rev`)} <= (select revision from at)
  and (${sql.ref(`${table}.to_rev`)} is null or ${sql.ref(`${table}.to_rev`)} > (select revision from at))`

const at = (projectId: string) =>
  sql`at as materialized (select revision from catalogs where project_id = ${projectId})`

/** What an item is with what supplements say about it. */
const shownDoc = sql`(i.doc || coalesce((
  select jsonb_object_agg(key, value order by v.source_id) from catalog_values v, jsonb_each(v.fields)
  where v.project_id = i.project_id and v.item_id = i.item_id and ${visible('v')}), '{}'))`

/** Nothing in stock counts as out of stock. */
const availabilityOf = (doc: RawBuilder<unknown>) => sql`case
  when ${doc} ->> 'availability' = 'IN_STOCK' and ${doc} -> 'stock' = '0' then 'OUT_OF_STOCK'
  else ${doc} ->> 'availability' end`

export interface ProductRow {
  /** The id of the product. */
  id: string
  itemCount: number
  availableCount: number
  /** The item that stands for the product: one in stock, of these the cheapest. */
  doc: Item
  availability: Availability
}

const standsFor = (column: 'doc' | 'availability') => sql`(array_agg(${sql.ref(column)}
  order by availability <> 'IN_STOCK', availability = 'OUT_OF_STOCK', doc -> 'price', item_id))[1]`

const sums = sql`count(*)::integer as "itemCount",
  (count(*) filter (where availability = 'IN_STOCK'))::integer as "availableCount", ${standsFor('doc')} as doc,
  ${standsFor('availability')} as availability`

const itemsOf = (projectId: string, productId: RawBuilder<unknown>) => sql`
  select i.item_id, i.source_id, i.from_rev, shown.doc, ${availabilityOf(sql`shown.doc`)} as availability
  from catalog_items i cross join lateral (select ${shownDoc} as doc offset 0) shown
  where i.project_id = ${projectId} and i.product_id = ${productId} and ${visible('i')}`

/** What the catalog says of an item that somebody has bought. */
export interface KnownItem {
  itemId: string
  productId: string
  cost: Amount | null
  currency: string
}

/** Those of the items that the catalog has, with what supplements say about their costs. */
export async function findKnownItems(db: Db, projectId: string, itemIds: readonly string[]): Promise<KnownItem[]> {
  const { rows } = await sql<KnownItem>`
    with ${at(projectId)} select i.item_id as "itemId", i.product_id as "productId",
      (shown.doc ->> 'cost')::float8 as cost, shown.doc ->> 'currency' as currency
    from catalog_items i cross join lateral (select ${shownDoc} as doc offset 0) shown
    where i.project_id = ${projectId} and i.item_id = any(${[...itemIds]}::text[]) and ${visible('i')}`.execute(db)
  return rows
}

type ListFilter = ProductFilter & { availability?: Availability | undefined }

/** How many versions of items are looked at for a page, and in how many statements, so that others come in between. */
const lookedAt = [2_000, ...Array<number>(20).fill(10_000)]

/**
 * By their ids. A product passes the filter if one of its items does. Few can have an availability, so not all are looked
 * at: `through` is then the last product that was.
 */
export async function listProducts(
  db: Db,
  projectId: string,
  filter: ListFilter,
  after: string | null,
  limit: number,
): Promise<{ rows: ProductRow[]; through: string | null }> {
  const { availability, ...asked } = filter
  const query = searchQuery(projectId, asked)
  if (query === undefined) return { rows: [], through: null }
  const of = { projectId, query, availability }
  // Words are found by their index, with few items of each.
  if (availability === undefined || query !== null)
    return { rows: await productsBetween(db, of, { after: after ?? '', through: null }, limit), through: null }
  const rows: ProductRow[] = []
  let through: string | null = after ?? ''
  for (const count of lookedAt) {
    const from: string = through
    through = await productAfter(db, projectId, from, count)
    rows.push(...(await productsBetween(db, of, { after: from, through }, limit - rows.length)))
    if (rows.length === limit || through === null) return { rows, through: null }
  }
  return { rows, through }
}

/** The product of the version that comes `count` versions after a product, in the order of products; null: there is none. */
async function productAfter(db: Db, projectId: string, after: string, count: number): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select product_id as id from catalog_items where project_id = ${projectId} and product_id > ${after}
    order by product_id, item_id offset ${count} limit 1`.execute(db)
  return rows[0]?.id ?? null
}

interface ListOf {
  projectId: string
  /** A `tsquery`; null: everything passes. */
  query: string | null
  availability: Availability | undefined
}

async function productsBetween(
  db: Db,
  { projectId, query, availability }: ListOf,
  { after, through }: { after: string; through: string | null },
  limit: number,
): Promise<ProductRow[]> {
  const isAfter = (id: RawBuilder<unknown>) => sql`from catalog_items i
    where i.project_id = ${projectId} and ${visible('i')} and i.product_id > ${id}
      and ${through === null ? sql`true` : sql`i.product_id <= ${through}`}
      and ${availability === undefined ? sql`true` : isAvailable(availability)}`
  const first = sql`${after}`
  // Without words, each product is found by one look-up after the one before, whatever the planner knows of the table.
  const page =
    query === null
      ? sql`page (id, place) as (
          select * from (select i.product_id, 1 ${isAfter(first)} order by i.product_id limit 1) first
          union all
          select next.product_id, place + 1 from page cross join lateral (
            select i.product_id ${isAfter(sql`page.id`)} order by i.product_id limit 1) next
          where place < ${limit}::integer)`
      : sql`page as (
          select i.product_id as id ${isAfter(first)} and i.words @@ ${query}::tsquery
          group by i.product_id order by i.product_id limit ${limit})`
  const { rows } = await sql<ProductRow>`
    with recursive ${at(projectId)}, ${page}
    select page.id, product.* from page cross join lateral (
      select ${sums} from (${itemsOf(projectId, sql`page.id`)}) item
    ) product order by page.id`.execute(db)
  return rows
}

/**
 * A supplement can have changed the stock. A `case` and no comparison: the planner takes it for half of the rows, and
 * reads on in the order of products, where it would otherwise sort the whole catalog for each of them.
 */
function isAvailable(availability: Availability): RawBuilder<unknown> {
  const isEmpty = sql`coalesce((
    select v.fields -> 'stock' from catalog_values v
    where v.project_id = i.project_id and v.item_id = i.item_id and v.fields ? 'stock' and ${visible('v')}
    order by v.source_id desc limit 1), i.doc -> 'stock') = '0'`
  const passing = {
    IN_STOCK: sql`when 'IN_STOCK' then not ${isEmpty}`,
    OUT_OF_STOCK: sql`when 'OUT_OF_STOCK' then true when 'IN_STOCK' then ${isEmpty}`,
    PREORDER: sql`when 'PREORDER' then true`,
    BACKORDER: sql`when 'BACKORDER' then true`,
  }
  return sql`case i.availability ${passing[availability]} else false end`
}

export async function findProduct(db: Db, projectId: string, productId: string): Promise<ProductRow | undefined> {
  const { rows } = await sql<ProductRow>`
    with ${at(projectId)} select ${productId} as id, ${sums} from (${itemsOf(projectId, sql`${productId}`)}) item
    having count(*) > 0`.execute(db)
  return rows[0]
}

export interface ItemRow {
  doc: Item
  availability: Availability
  sourceId: string | null
  /** The revision since which the item has its own values. */
  revision: number
}

/** The first items of a product, by their ids. */
export async function listItems(db: Db, projectId: string, productId: string, limit: number): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    with ${at(projectId)} select doc, availability, ${owner('item')} as "sourceId", from_rev as revision
    from (${itemsOf(projectId, sql`${productId}`)}) item order by item_id limit ${limit}`.execute(db)
  return rows
}

export interface CategoryRow {
  /** The levels, with ' > ' between them. */
  id: string
  items: number
}

/** The categories that items have, by their texts. */
export async function listCategories(
  db: Db,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<CategoryRow[]> {
  const { rows } = await sql<CategoryRow>`
    with ${at(projectId)} select category as id, count(*)::integer as items from catalog_items i
    where project_id = ${projectId} and category > ${after ?? ''} and ${visible('i')}
    group by category order by category limit ${limit}`.execute(db)
  return rows
}

export const facetFields = ['brand', 'category'] as const
export type FacetField = (typeof facetFields)[number]

export interface Facet {
  /** The most frequent first. */
  values: { value: string; products: number }[]
  /** Whether there are more values. */
  isCut: boolean
  /** Whether all items were looked at that pass the words. */
  isWhole: boolean
}

/** A project with more items would keep the database busy for seconds. */
const countedItems = 200_000

interface FacetOf {
  field: FacetField
  filter: ProductFilter & { availability?: Availability | undefined }
  /** Letters that the values have, without regard to case. */
  find: string | undefined
  limit: number
}

/** The values of a field with the products that have them, among those that pass what is filtered besides. */
export async function countFacet(db: Db, projectId: string, { field, filter, find, limit }: FacetOf): Promise<Facet> {
  const { availability, ...asked } = filter
  const others = { ...asked, ...(field === 'brand' ? { brand: undefined } : { category: undefined }) }
  const query = searchQuery(projectId, others)
  if (query === undefined) return { values: [], isCut: false, isWhole: true }
  const own = field === 'brand' ? sql`i.doc ->> 'brand'` : sql`nullif(i.category, '')`
  // A category counts for those above it, too.
  const values =
    field === 'brand'
      ? sql`select value, product_id from counted`
      : sql`select array_to_string(levels[1:depth], ' > ') as value, product_id
          from (select distinct string_to_array(value, ' > ') as levels, product_id from counted) leaf
          cross join lateral generate_series(1, cardinality(levels)) depth`
  const { rows } = await sql<{ value: string | null; products: number; items: number }>`
    with ${at(projectId)}, looked as materialized (
      select ${own} as value, i.product_id, ${availability === undefined ? sql`true` : isAvailable(availability)} as passes
      from catalog_items i
      where i.project_id = ${projectId} and ${visible('i')}
        and ${query === null ? sql`true` : sql`i.words @@ ${query}::tsquery`}
      limit ${countedItems + 1}
    ), counted as (select value, product_id from looked where passes and value is not null)
    select value, products, all_items.items
    from (select count(*)::integer as items from looked) all_items left join (
      select value, count(distinct product_id)::integer as products from (${values}) had
      where ${find === undefined ? sql`true` : sql`strpos(lower(value), lower(${find})) > 0`}
      group by value order by products desc, value collate "C" limit ${limit + 1}) found on true
    order by products desc, value collate "C"`.execute(db)
  const found = rows.flatMap(({ value, products }) => (value === null ? [] : [{ value, products }]))
  return { values: found.slice(0, limit), isCut: found.length > limit, isWhole: rows[0]!.items <= countedItems }
}

export interface CatalogRevision extends Changes {
  id: string
  revision: number
  madeAt: Date
  madeBy: Activation['madeBy']
  jobId: string | null
  sourceId: string | null
  items: number
  products: number
}

/** Newest first. */
export async function listRevisions(
  db: Db,
  projectId: string,
  before: string | null,
  limit: number,
): Promise<CatalogRevision[]> {
  const { rows } = await sql<CatalogRevision>`
    select revision::text as id, revision, made_at as "madeAt", made_by as "madeBy", job_id as "jobId",
      source_id as "sourceId", added, changed, removed, unchanged, items, products
    from catalog_revisions
    where project_id = ${projectId} and ${before === null ? sql`true` : sql`revision < ${before}::bigint`}
    order by revision desc limit ${limit}`.execute(db)
  return rows
}

/** The oldest revision of each catalog that is kept: none is older than `before`, unless it is one of the newest. */
export const kept = (before: Date, atLeast: number) => sql`kept as (
  select project_id, min(revision) as oldest from (
    select project_id, revision, made_at, row_number() over (partition by project_id order by revision desc) as place
    from catalog_revisions
  ) each where made_at >= ${before} or place <= ${atLeast}::integer group by project_id)`

/** Deletes versions that no kept revision shows. */
export async function sweepVersions(
  db: Db,
  table: 'catalog_items' | 'catalog_values',
  { before, atLeast }: { before: Date; atLeast: number },
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    with ${kept(before, atLeast)} delete from ${sql.table(table)} where ctid = any(array(
      select version.ctid from kept join ${sql.table(table)} version
        on version.project_id = kept.project_id and version.to_rev <= kept.oldest
      limit ${limit}::integer for update of version skip locked)) returning 1`.execute(db)
  return rows.length
}

export async function sweepRevisions(
  db: Db,
  { before, atLeast }: { before: Date; atLeast: number },
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    with ${kept(before, atLeast)} delete from catalog_revisions where ctid = any(array(
      select past.ctid from kept join catalog_revisions past
        on past.project_id = kept.project_id and past.revision < kept.oldest
      limit ${limit}::integer for update of past skip locked)) returning 1`.execute(db)
  return rows.length
}
