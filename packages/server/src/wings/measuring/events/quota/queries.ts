import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import type { Used } from './quota.ts'

/** What all nodes have stored in a day, such as `2026-11-20`. */
export async function usedIn(db: Db, day: string): Promise<Used[]> {
  const { rows } = await sql<Used>`
    select env_id as "envId", events, bytes from event_usage where day = ${day}::date`.execute(db)
  return rows
}

/** Adds what a node has stored. Returns what all nodes have. In order, so that two nodes do not deadlock. */
export async function addUsed(db: Db, day: string, used: readonly Used[]): Promise<Used[]> {
  const { rows } = await sql<Used>`
    insert into event_usage as known (env_id, day, events, bytes)
    select "envId", ${day}::date, events, bytes
    from jsonb_to_recordset(${JSON.stringify(used)}::jsonb) as told ("envId" uuid, events bigint, bytes bigint)
    order by "envId"
    on conflict (env_id, day) do update set events = known.events + excluded.events, bytes = known.bytes + excluded.bytes
    returning env_id as "envId", events, bytes`.execute(db)
  return rows
}

/** Deletes some of the days that are over. Returns how many. */
export async function deleteOldUsage(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from event_usage where (env_id, day) in (
      select env_id, day from event_usage where day < (${before}::timestamptz at time zone 'UTC')::date limit ${limit}
      for update skip locked
    ) returning env_id`.execute(db)
  return rows.length
}

/** In bytes. */
export async function sizeOfDatabase(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes`.execute(db)
  return rows[0]!.bytes
}
