import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { type Claim, dueRows } from '../../../../platform/due-rows.ts'

/** An order, by its place among those of its project. */
export interface Place {
  placedAt: Date
  id: string
}

/** What is still to be done with the orders of a project after a setting. */
export type Recount = { id: string; projectId: string } & (
  | { what: 'RATE'; currency: string }
  /** `after`: the last order that was looked at. */
  | { what: 'VISITORS'; envId: string | null; after: Place | null }
)

interface RecountRow {
  projectId: string
  what: Recount['what']
  currency: string | null
  envId: string | null
  afterPlaced: Date | null
  afterId: string | null
}

export const dueRecounts = dueRows<RecountRow>({
  table: 'order_recounts',
  key: 'id',
  dueAt: 'due_at',
  columns: sql`project_id as "projectId", what, currency, env_id as "envId", after_placed as "afterPlaced",
    after_id as "afterId"`,
  backoff: { firstMs: 5_000, mostMs: 600_000 },
})

export function recountOf({ id, projectId, what, currency, envId, afterPlaced, afterId }: RecountRow & Claim): Recount {
  if (what === 'RATE') return { id, projectId, what, currency: currency! }
  const after = afterPlaced === null || afterId === null ? null : { placedAt: afterPlaced, id: afterId }
  return { id, projectId, what, envId, after }
}

const placeOf = (of: Recount) => (of.what === 'VISITORS' ? of.after : null)

export async function insertRecount(tx: Tx, of: Recount, now: Date): Promise<void> {
  const after = placeOf(of)
  await sql`
    insert into order_recounts (id, project_id, what, currency, env_id, after_placed, after_id, due_at, created_at)
    values (${of.id}, ${of.projectId}, ${of.what}, ${of.what === 'RATE' ? of.currency : null},
      ${of.what === 'VISITORS' ? of.envId : null}, ${after?.placedAt ?? null}, ${after?.id ?? null}, ${now}, ${now})`.execute(
    tx,
  )
}

export async function saveRecount(tx: Tx, of: Recount): Promise<void> {
  const after = placeOf(of)
  await sql`
    update order_recounts set after_placed = ${after?.placedAt ?? null}, after_id = ${after?.id ?? null}
    where id = ${of.id}`.execute(tx)
}

export async function deleteRecount(tx: Tx, id: string): Promise<void> {
  await sql`delete from order_recounts where id = ${id}`.execute(tx)
}

interface Filling {
  currency: string
  rate: string
  reporting: { currency: string; digits: number }
  now: Date
}

/** Orders of a currency that had no rate become money, up to `limit` of them. Returns those. */
export async function fillRates(
  tx: Tx,
  projectId: string,
  { currency, rate, reporting, now }: Filling,
  limit: number,
): Promise<{ envId: string; unit: string | null }[]> {
  const { rows } = await sql<{ envId: string; unit: string | null }>`
    with unrated as materialized (
      select id from orders where project_id = ${projectId} and currency = ${currency} and rate is null
      order by env_id, order_id limit ${limit} for no key update)
    update orders set reporting_currency = ${reporting.currency}, reporting_digits = ${reporting.digits}::smallint,
      rate = ${rate}::numeric, updated_at = ${now}
    from unrated where orders.id = unrated.id returning env_id as "envId", unit`.execute(tx)
  return rows
}

/** The next orders of a project that were placed after one, in order. */
export async function ordersAfter(
  db: Db,
  { projectId, envId }: { projectId: string; envId: string | null },
  after: Place | null,
  limit: number,
): Promise<(Place & { envId: string; unit: string | null; byImport: boolean })[]> {
  const isAfter = after ? sql`and (placed_at, id) > (${after.placedAt}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<Place & { envId: string; unit: string | null; byImport: boolean }>`
    select id, placed_at as "placedAt", env_id as "envId", unit, by_import as "byImport" from orders
    where project_id = ${projectId} ${envId === null ? sql`` : sql`and env_id = ${envId}`} ${isAfter}
    order by placed_at, id limit ${limit}`.execute(db)
  return rows
}
