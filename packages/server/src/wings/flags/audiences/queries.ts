import type { Condition } from '@svc/core'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'

/** `conditions` are as edited; what is live of them, each environment keeps. */
export interface Audience {
  id: string
  projectId: string
  name: string
  description: string | null
  conditions: Condition
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`audiences.id, audiences.project_id as "projectId", audiences.name, audiences.description,
  audiences.conditions, audiences.version, audiences.created_at as "createdAt", audiences.updated_at as "updatedAt"`

export async function findAudience(
  db: Db,
  orgId: string,
  { projectId, audienceId }: { projectId: string; audienceId: string },
): Promise<Audience | undefined> {
  if (!isId(projectId) || !isId(audienceId)) return undefined
  const { rows } = await sql<Audience>`
    select ${columns} from audiences join projects on projects.id = audiences.project_id
    where audiences.id = ${audienceId} and projects.id = ${projectId} and projects.org_id = ${orgId}`.execute(db)
  return rows[0]
}

export async function listAudiences(
  db: Db,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<Audience[]> {
  const { rows } = await sql<Audience>`
    select ${columns} from audiences
    where project_id = ${projectId} and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** For an edit; rules that name the audience can still be made meanwhile. */
export async function lockAudience(tx: Tx, audienceId: string): Promise<Audience | undefined> {
  const { rows } = await sql<Audience>`
    select ${columns} from audiences where id = ${audienceId} for no key update`.execute(tx)
  return rows[0]
}

/** For a deletion: waits for rules that are being made with it. */
export async function lockLeavingAudience(tx: Tx, audienceId: string): Promise<Audience | undefined> {
  const { rows } = await sql<Audience>`select ${columns} from audiences where id = ${audienceId} for update`.execute(tx)
  return rows[0]
}

export async function countAudiences(tx: Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from audiences where project_id = ${projectId}`.execute(tx)
  return rows[0]!.count
}

export type NewAudience = Pick<Audience, 'id' | 'projectId' | 'name' | 'description' | 'conditions'>

export async function insertAudience(tx: Tx, row: NewAudience, now: Date): Promise<void> {
  await sql`
    insert into audiences (id, project_id, name, description, conditions, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.name}, ${row.description}, ${JSON.stringify(row.conditions)}::jsonb,
      ${now}, ${now})`.execute(tx)
}

export async function saveAudience(
  tx: Tx,
  audienceId: string,
  { name, description, conditions }: Pick<Audience, 'name' | 'description' | 'conditions'>,
  now: Date,
): Promise<void> {
  await sql`
    update audiences set name = ${name}, description = ${description},
      conditions = ${JSON.stringify(conditions)}::jsonb, version = version + 1, updated_at = ${now}
    where id = ${audienceId}`.execute(tx)
}

export async function deleteAudienceRow(tx: Tx, audienceId: string): Promise<void> {
  await sql`delete from audiences where id = ${audienceId}`.execute(tx)
}
