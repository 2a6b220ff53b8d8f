import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

/** The environment of a rule of a flag. */
export async function environmentOfRule(db: Db, flagId: string, ruleId: string): Promise<string | undefined> {
  const { rows } = await sql<{ envId: string }>`
    select env_id as "envId" from rules where id = ${ruleId} and flag_id = ${flagId}`.execute(db)
  return rows[0]?.envId
}
