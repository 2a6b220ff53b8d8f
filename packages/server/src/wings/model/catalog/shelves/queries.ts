import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import type { Availability, Item } from '../item.ts'

/** A project and a revision of its catalog. */
export interface AtRevision {
  projectId: string
  revision: number
}

/** An item as a revision shows it, with what supplements say about it. */
export interface ShelfItem {
  /** Without `itemId` and `productId`, and without the fields that were not asked for. */
  doc: Partial<Item>
  itemId: string
  productId: string
  availability: Availability
  sourceId: string | null
}

/** The visible revision of a catalog; 0 before the first. */
export async function visibleRevision(db: Db, projectId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from catalogs where project_id = ${projectId}`.execute(db)
  return rows[0]?.revision ?? 0
}

const isIn = (table: string, revision: number) => sql`${sql.ref(`${table}.from_rev`)} <= ${revision}::bigint
  and (${sql.ref(`${table}.to_rev`)} is null or ${sql.ref(`${table}.to_rev`)} > ${revision}::bigint)`

const columns = (
  revision: number,
  without: readonly string[],
) => sql`i.item_id as "itemId", i.product_id as "productId",
  i.source_id as "sourceId", shown.doc - ${[...without, 'itemId', 'productId']}::text[] as doc,
  case when shown.doc ->> 'availability' = 'IN_STOCK' and shown.doc -> 'stock' = '0' then 'OUT_OF_STOCK'
    else shown.doc ->> 'availability' end as availability
  from catalog_items i cross join lateral (
    select i.doc || coalesce((
      select jsonb_object_agg(key, value order by v.source_id) from catalog_values v, jsonb_each(v.fields)
      where v.project_id = i.project_id and v.item_id = i.item_id and ${isIn('v', revision)}), '{}') as doc offset 0
  ) shown`

/** The next items of a revision, by products and ids. */
export async function shelfItemsAfter(
  db: Db,
  { projectId, revision }: AtRevision,
  without: readonly string[],
  after: Pick<ShelfItem, 'productId' | 'itemId'>,
  limit: number,
): Promise<ShelfItem[]> {
  const { rows } = await sql<ShelfItem>`
    select ${columns(revision, without)}
    where i.project_id = ${projectId} and ${isIn('i', revision)}
      and (i.product_id, i.item_id) > (${after.productId}, ${after.itemId})
    order by i.product_id, i.item_id limit ${limit}`.execute(db)
  return rows
}

/** Those of the items that a revision shows. */
export async function shelfItems(
  db: Db,
  { projectId, revision }: AtRevision,
  without: readonly string[],
  itemIds: readonly string[],
): Promise<ShelfItem[]> {
  const { rows } = await sql<ShelfItem>`
    select ${columns(revision, without)}
    where i.project_id = ${projectId} and ${isIn('i', revision)}
      and i.item_id = any(${[...itemIds]}::text[])`.execute(db)
  return rows
}

/** The next ids of the items that changed after the revision `from`, up to a revision. */
export async function changedItemsAfter(
  db: Db,
  { projectId, revision }: AtRevision,
  from: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const changed = (table: RawBuilder<unknown>, column: RawBuilder<unknown>) => sql`
    select item_id from ${table} where project_id = ${projectId} and item_id > ${after}
      and ${column} > ${from}::bigint and ${column} <= ${revision}::bigint`
  const { rows } = await sql<{ itemId: string }>`
    select item_id as "itemId" from (
      ${changed(sql`catalog_items`, sql`from_rev`)} union ${changed(sql`catalog_items`, sql`to_rev`)}
      union ${changed(sql`catalog_values`, sql`from_rev`)} union ${changed(sql`catalog_values`, sql`to_rev`)}
    ) changed order by item_id limit ${limit}`.execute(db)
  return rows.map(({ itemId }) => itemId)
}

/** Whether items have come or changed after a revision. */
export async function hasChangedItems(db: Db, { projectId, revision }: AtRevision): Promise<boolean> {
  const { rows } = await sql`
    select from catalog_items where project_id = ${projectId} and from_rev > ${revision}::bigint limit 1`.execute(db)
  return rows.length > 0
}

/** Nodes hear of each revision: the id of the project, and the number. */
export const catalogChannel = 'svc_catalog'
