import type { Condition } from '@svc/core'
import { sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Edit } from '../../model/versions/index.ts'

/** `conditions` are the edited ones. Each environment stores its live conditions. */
export interface Audience {
  id: string
  shortId: number
  projectId: string
  key: string
  name: string
  description: string | null
  conditions: Condition
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, short_id as "shortId", project_id as "projectId", key, name, description, conditions, version,
  created_at as "createdAt", updated_at as "updatedAt"`

export const audienceQueries = nounQueries<Audience>('audiences', columns)

export async function insertAudience(tx: Tx, row: Audience, edit: Edit): Promise<void> {
  await sql`
    insert into audiences (id, short_id, project_id, key, name, description, conditions, conditions_by, created_at,
      updated_at)
    values (${row.id}, ${row.shortId}, ${row.projectId}, ${row.key}, ${row.name}, ${row.description},
      ${JSON.stringify(row.conditions)}::jsonb, ${JSON.stringify(edit)}::jsonb, ${row.createdAt}, ${row.updatedAt})`.execute(
    tx,
  )
}

export async function saveAudience(
  tx: Tx,
  {
    id,
    name,
    description,
    conditions,
    version,
    updatedAt,
  }: Omit<Audience, 'shortId' | 'projectId' | 'key' | 'createdAt'>,
  edit: Edit,
): Promise<void> {
  const edited = sql`${JSON.stringify(conditions)}::jsonb`
  await sql`
    update audiences set name = ${name}, description = ${description}, conditions = ${edited},
      conditions_by = case when conditions = ${edited} then conditions_by else ${JSON.stringify(edit)}::jsonb end,
      version = ${version}, updated_at = ${updatedAt}
    where id = ${id}`.execute(tx)
}
