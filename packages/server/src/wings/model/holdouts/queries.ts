import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { HeldOut } from '../versions/index.ts'

/** A holdout that a rule names. Locks it against changes of its share and against deletion. */
export async function shareHoldout(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<(HeldOut & { archived: boolean }) | undefined> {
  if (!isId(id)) return undefined
  const { rows } = await sql<HeldOut & { archived: boolean }>`
    select id, short_id as "shortId", salt, share, archived from holdouts
    where project_id = ${projectId} and id = ${id} for share`.execute(tx)
  return rows[0]
}
