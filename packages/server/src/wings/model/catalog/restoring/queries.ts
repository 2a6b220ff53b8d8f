import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { kept, owner } from '../queries.ts'

/** What a restore goes from and to: the visible revision, and the old one that it shows again. */
export interface Restoring {
  projectId: string
  revision: number
  old: number
}

/** Where a portion ended. Portions are in the order of revisions, and in each in that of ids. */
export interface Place {
  revision: number
  itemId: string
}

export interface OldItem extends Place {
  productId: string
  sourceId: string | null
  hash: string
}

/** Whether the revision is still kept with all versions that it shows. */
export async function isKept(
  db: Db,
  { projectId, old }: Pick<Restoring, 'projectId' | 'old'>,
  { before, atLeast }: { before: Date; atLeast: number },
): Promise<boolean> {
  const { rows } = await sql`
    with ${kept(before, atLeast)} select from catalog_revisions join kept using (project_id)
    where project_id = ${projectId} and revision = ${old} and revision >= oldest`.execute(db)
  return rows.length > 0
}

/** Versions that the old revision shows, and that have ended since. */
export async function listEnded(
  db: Db,
  { projectId, revision, old }: Restoring,
  after: Place,
  limit: number,
): Promise<OldItem[]> {
  const { rows } = await sql<OldItem>`
    select to_rev as revision, item_id as "itemId", product_id as "productId", ${owner('catalog_items')} as "sourceId", hash
    from catalog_items
    where project_id = ${projectId} and (to_rev, item_id) > (${after.revision}::bigint, ${after.itemId}::text)
      and to_rev > ${old} and to_rev <= ${revision} and from_rev <= ${old}
    order by to_rev, item_id limit ${limit}`.execute(db)
  return rows
}

/** Items that have come since, and that the old revision does not have. */
export async function listCome(
  db: Db,
  { projectId, revision, old }: Restoring,
  after: Place,
  limit: number,
): Promise<(Place & { productId: string })[]> {
  const { rows } = await sql<Place & { productId: string }>`
    select from_rev as revision, item_id as "itemId", product_id as "productId" from catalog_items now
    where project_id = ${projectId} and (from_rev, item_id) > (${after.revision}::bigint, ${after.itemId}::text)
      and from_rev > ${old} and from_rev <= ${revision} and to_rev is null
      and not exists (select from catalog_items past
        where past.project_id = now.project_id and past.item_id = now.item_id and past.from_rev <= ${old}
          and past.to_rev > ${old})
    order by from_rev, item_id limit ${limit}`.execute(db)
  return rows
}

/** Writes versions that say what the old revision shows. The versions that they replace must be closed before. */
export async function copyVersions(
  tx: Tx,
  { projectId, revision, old }: Restoring,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    insert into catalog_items (project_id, from_rev, source_id, item_id, product_id, hash, category, price, availability,
      words, doc)
    select ${projectId}::uuid, ${revision + 1}::bigint, past.source_id, past.item_id, past.product_id, past.hash,
      past.category, past.price, past.availability, past.words, past.doc
    from unnest(${[...itemIds]}::text[]) asked (id) cross join lateral (
      select * from catalog_items
      where project_id = ${projectId} and item_id = asked.id and from_rev <= ${old} and to_rev > ${old} limit 1
    ) past`.execute(tx)
}
