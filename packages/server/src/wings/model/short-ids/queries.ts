import { sql } from 'kysely'
import type { ProjectNoun } from '../../../catalogue/nouns.ts'
import type { Tx } from '../../../platform/db/index.ts'

/**
 * Takes a number of new short ids of a project and returns the first. The counter stays locked until the transaction
 * ends, so this must follow all locks except those of the audit log and the events.
 */
export async function takeShortIds(
  tx: Tx,
  projectId: string,
  kind: Uppercase<ProjectNoun>,
  count = 1,
): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into short_id_counters as counter (project_id, kind, last) values (${projectId}, ${kind}, ${count})
    on conflict (project_id, kind) do update set last = counter.last + excluded.last returning last`.execute(tx)
  return rows[0]!.last - count + 1
}
