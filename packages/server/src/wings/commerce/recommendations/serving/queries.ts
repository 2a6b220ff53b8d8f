import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'

/** The project of an environment. */
export async function projectOf(db: Db, envId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select project_id as id from environments where id = ${envId}`.execute(db)
  return rows[0]?.id
}
