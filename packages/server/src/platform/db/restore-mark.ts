import { sql } from 'kysely'
import type { Db } from './database.ts'

/** This table exists while a restore is under way, and after one that was interrupted. */
export const restoreMark = 'unfinished_restore'

/** Throws if a restore into this database was interrupted: rows are missing. */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  const { rows } = await sql<{ marked: boolean }>`
    select to_regclass(${restoreMark}::text) is not null as marked`.execute(db)
  if (rows[0]!.marked)
    throw new Error('a restore into this database was interrupted, or is under way. Run svc-server restore again.')
}
