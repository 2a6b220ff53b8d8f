import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { Change } from './change.ts'

const fields = sql`
  seq, at, object_type as kind, object_id as id, action, project_id as "projectId",
  jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as by, request_id as "requestId"`

/** The changes after a number, oldest first. */
export async function listChanges(db: Db, orgId: string, after: number, limit: number): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select ${fields} from audit_entries where org_id = ${orgId} and seq > ${after}
    order by seq limit ${limit}`.execute(db)
  return rows
}

/** The newest changes, oldest first. */
export async function newestChanges(db: Db, orgId: string, limit: number): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select ${fields} from audit_entries where org_id = ${orgId}
    order by seq desc limit ${limit}`.execute(db)
  return rows.reverse()
}
