import { sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import type { Tx } from '../../../platform/db/index.ts'

export interface Holdout {
  id: string
  shortId: number
  projectId: string
  key: string
  name: string
  salt: string
  /** Basis points of the visitors who stay out. */
  share: number
  archived: boolean
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, short_id as "shortId", project_id as "projectId", key, name, salt, share, archived,
  version, created_at as "createdAt", updated_at as "updatedAt"`

export const holdoutQueries = nounQueries<Holdout>('holdouts', columns)

export async function insertHoldout(tx: Tx, row: Holdout): Promise<void> {
  await sql`
    insert into holdouts (id, short_id, project_id, key, name, salt, share, created_at, updated_at)
    values (${row.id}, ${row.shortId}, ${row.projectId}, ${row.key}, ${row.name}, ${row.salt}, ${row.share},
      ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

export async function saveHoldout(tx: Tx, row: Holdout): Promise<void> {
  await sql`
    update holdouts set name = ${row.name}, share = ${row.share}, archived = ${row.archived}, version = ${row.version},
      updated_at = ${row.updatedAt}
    where id = ${row.id}`.execute(tx)
}

/** Whether the live version of a flag named the holdout in any published revision. */
export async function wasServed(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from revision_flags past join environments on environments.id = past.env_id
      where project_id = ${projectId} and rule_references(past.live -> 'rules') ? ${id}
    ) as found`.execute(tx)
  return rows[0]!.found
}
