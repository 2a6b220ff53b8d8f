import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

const forgetAfter = sql`interval '1 day'`

/** Stores that a worker is there. Rows of workers that crashed are deleted after a day. */
export async function saveWorker(db: Db, id: string, now: Date): Promise<void> {
  await sql`
    with forgotten as (
      delete from workers where id in (
        select id from workers where heard_at < ${now}::timestamptz - ${forgetAfter} for update skip locked
      )
    )
    insert into workers (id, heard_at) values (${id}, ${now})
    on conflict (id) do update set heard_at = excluded.heard_at`.execute(db)
}

export async function deleteWorker(db: Db, id: string): Promise<void> {
  await sql`delete from workers where id = ${id}`.execute(db)
}

/** How many were heard since then, and when the last one was, regardless of `since`. */
export async function findWorkers(db: Db, since: Date): Promise<{ count: number; lastHeardAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastHeardAt: Date | null }>`
    select (count(*) filter (where heard_at > ${since}))::integer as count, max(heard_at) as "lastHeardAt"
    from workers`.execute(db)
  return rows[0]!
}
