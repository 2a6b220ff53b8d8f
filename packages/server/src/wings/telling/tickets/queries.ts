import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { Ref } from './ticket.ts'

/** Which keys a delivery is about: its own, or all that it ends, by their beginnings. */
export type AskedKeys = { key: string } | { endings: readonly string[] }

interface RefRow {
  key: string
  state: Ref['state']
  toldBy: string | null
  externalId: string | null
  url: string | null
  at: Date
}

/** What a destination remembers about these keys. Of keys that end, those that are resolved are left out. */
export async function findRefs(db: Db, destinationId: string, asked: AskedKeys): Promise<{ key: string; ref: Ref }[]> {
  const isAsked =
    'key' in asked
      ? sql`key = ${asked.key}`
      : sql`state <> 'RESOLVED' and exists (
          select from unnest(${[...asked.endings]}::text[]) as ending
          where key = ending or starts_with(key, ending || '/'))`
  const { rows } = await sql<RefRow>`
    select key, state, told_by as "toldBy", external_id as "externalId", url, at
    from destination_refs where destination_id = ${destinationId} and ${isAsked}
    order by key`.execute(db)
  return rows.map((row) => ({ key: row.key, ref: refOf(row) }))
}

/**
 * Stores what a destination remembers about keys; null means nothing. A destination that was deleted remembers nothing.
 *
 * @param about the ids of what the tickets are about; if omitted, the stored ids do not change
 */
export async function saveRefs(
  db: Db,
  destinationId: string,
  refs: Iterable<readonly [string, Ref | null]>,
  about: readonly string[] = [],
): Promise<void> {
  const all = [...refs]
  const forgotten = all.flatMap(([key, ref]) => (ref ? [] : [key]))
  const kept = all.flatMap(([key, ref]) => (ref ? [{ key, ...rowOf(ref) }] : []))
  if (forgotten.length > 0)
    await sql`
      delete from destination_refs where destination_id = ${destinationId} and key = any(${forgotten}::text[])`.execute(
      db,
    )
  if (kept.length > 0)
    await sql`
      insert into destination_refs (destination_id, key, state, told_by, external_id, url, at, about)
      select destinations.id, row.key, row.state, row."toldBy", row."externalId", row.url, row.at, ${[...about]}::uuid[]
      from destinations, jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
        as row (key text, state text, "toldBy" uuid, "externalId" text, url text, at timestamptz)
      where destinations.id = ${destinationId}
      for key share of destinations
      on conflict (destination_id, key) do update set state = excluded.state, told_by = excluded.told_by,
        external_id = excluded.external_id, url = excluded.url, at = excluded.at,
        about = case when excluded.about = '{}' then destination_refs.about else excluded.about end`.execute(db)
}

/** Deletes a batch of what was resolved long ago: every delivery that is kept is newer. Returns how many. */
export async function deleteOldRefs(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from destination_refs where (destination_id, key) in (
      select destination_id, key from destination_refs where state = 'RESOLVED' and at < ${before}
      order by at limit ${limit} for update skip locked
    ) returning key`.execute(db)
  return rows.length
}

function refOf({ state, toldBy, externalId, url, at }: RefRow): Ref {
  const ticket = externalId === null ? null : { id: externalId, url }
  if (state === 'MAKING') return { state, mark: toldBy!, since: at }
  if (state === 'OPEN') return { state, ticket: ticket!, toldBy: toldBy!, toldAt: at }
  return { state, ticket, at }
}

function rowOf(ref: Ref): Omit<RefRow, 'key'> {
  const { state } = ref
  if (state === 'MAKING') return { state, toldBy: ref.mark, externalId: null, url: null, at: ref.since }
  const ticket = { externalId: ref.ticket?.id ?? null, url: ref.ticket?.url ?? null }
  return state === 'OPEN'
    ? { state, toldBy: ref.toldBy, ...ticket, at: ref.toldAt }
    : { state, toldBy: null, ...ticket, at: ref.at }
}
