import { sql } from 'kysely'
import { textColumn } from '../../../../platform/db/columns.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Item } from '../item.ts'

/** What a supplement says about an item. Amounts are in the currency of the item. */
export type ItemValues = Partial<Pick<Item, 'cost' | 'stock' | 'salePrice' | 'labels'>>

/** How the rows of a supplement name their items. */
export const itemNames = ['itemId', 'sku', 'gtin'] as const
export type ItemName = (typeof itemNames)[number]

interface OfSource {
  projectId: string
  sourceId: string
}

export interface NamedItem {
  /** As it was asked for. */
  key: string
  itemId: string
  currency: string
}

/** A SKU or GTIN of more items names none of them. */
export const mostOfName = 100

/** Those of the items that are there. Several items can have one SKU or GTIN: of each, up to one more than `mostOfName`. */
export async function findNamed(
  db: Db,
  projectId: string,
  name: ItemName,
  keys: readonly string[],
): Promise<NamedItem[]> {
  if (keys.length === 0) return []
  const column = { itemId: sql`item_id`, sku: sql`doc ->> 'sku'`, gtin: sql`doc ->> 'gtin'` }[name]
  // By its own look-up each: the planner can know nothing of a table that grows.
  const { rows } = await sql<NamedItem>`
    select asked.key, item_id as "itemId", currency from unnest(${[...new Set(keys)]}::text[]) asked (key) cross join lateral (
      select item_id, doc ->> 'currency' as currency from catalog_items
      where project_id = ${projectId} and to_rev is null and (${column}) = asked.key limit ${mostOfName + 1}) found`.execute(
    db,
  )
  return rows
}

/** Those of the items that have one of these SKUs or GTINs. */
export async function listWithNames(
  db: Db,
  projectId: string,
  itemIds: readonly string[],
  { sku, gtin }: Record<'sku' | 'gtin', ReadonlySet<string>>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${[...itemIds]}::text[]) asked (id) cross join lateral (
      select doc from catalog_items
      where project_id = ${projectId} and item_id = asked.id and to_rev is null limit 1) newest
    where doc ->> 'sku' = any(${[...sku]}::text[]) or doc ->> 'gtin' = any(${[...gtin]}::text[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** What the source says of these items, as the writer of the next revision has left it. */
export async function liveValues(
  db: Db,
  { projectId, sourceId }: OfSource,
  itemIds: readonly string[],
): Promise<{ itemId: string; fields: ItemValues }[]> {
  const { rows } = await sql<{ itemId: string; fields: ItemValues }>`
    select item_id as "itemId", fields from unnest(${[...itemIds]}::text[]) asked (id) cross join lateral (
      select item_id, fields from catalog_values
      where project_id = ${projectId} and source_id = ${sourceId} and item_id = asked.id and to_rev is null limit 1
    ) live`.execute(db)
  return rows
}

export async function countValuesOf(db: Db, { projectId, sourceId }: OfSource): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from catalog_values
    where project_id = ${projectId} and source_id = ${sourceId} and to_rev is null`.execute(db)
  return rows[0]!.count
}

/** The items of which the source says something, by their ids. */
export async function listValuesOf(
  db: Db,
  { projectId, sourceId }: OfSource,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select item_id as id from catalog_values
    where project_id = ${projectId} and source_id = ${sourceId} and to_rev is null and item_id > ${after}
    order by item_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

type Next = OfSource & { revision: number }

/** Ends what the source says of these items: from revision `revision` on, it says nothing, or something else. */
export async function closeValues(
  tx: Tx,
  { projectId, sourceId, revision }: Next,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    update catalog_values set to_rev = ${revision}
    where project_id = ${projectId} and source_id = ${sourceId} and to_rev is null
      and item_id = any(${[...itemIds]}::text[])`.execute(tx)
}

/** Writes what counts from revision `revision` on. What it replaces must be closed before. */
export async function insertValues(
  tx: Tx,
  { projectId, sourceId, revision }: Next,
  rows: readonly { itemId: string; fields: ItemValues }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into catalog_values (project_id, source_id, from_rev, item_id, fields)
    select ${projectId}::uuid, ${sourceId}::uuid, ${revision}::bigint,
      unnest(${textColumn(rows, ({ itemId }) => itemId)}::text[]),
      unnest(${textColumn(rows, ({ fields }) => JSON.stringify(fields))}::jsonb[])`.execute(tx)
}
