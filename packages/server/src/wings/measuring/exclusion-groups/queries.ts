import { sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import type { Tx } from '../../../platform/db/index.ts'

export interface ExclusionGroup {
  id: string
  shortId: number
  projectId: string
  key: string
  name: string
  salt: string
  /** Basis points of the visitors that each rule gets. */
  slotSize: number
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, short_id as "shortId", project_id as "projectId", key, name, salt, slot_size as "slotSize",
  version, created_at as "createdAt", updated_at as "updatedAt"`

export const groupQueries = nounQueries<ExclusionGroup>('exclusion_groups', columns)

export async function insertGroup(tx: Tx, row: ExclusionGroup): Promise<void> {
  await sql`
    insert into exclusion_groups (id, short_id, project_id, key, name, salt, slot_size, created_at, updated_at)
    values (${row.id}, ${row.shortId}, ${row.projectId}, ${row.key}, ${row.name}, ${row.salt}, ${row.slotSize},
      ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

export async function saveGroup(tx: Tx, { id, name, slotSize, version, updatedAt }: ExclusionGroup): Promise<void> {
  await sql`
    update exclusion_groups set name = ${name}, slot_size = ${slotSize}, version = ${version}, updated_at = ${updatedAt}
    where id = ${id}`.execute(tx)
}
