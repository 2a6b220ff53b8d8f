import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/index.ts'

/**
 * The first of so many new numbers of a project. Who takes some holds the counter until the transaction ends, so that
 * this comes behind all locks but those of the audit log and the events.
 */
export async function takeShortIds(
  tx: Tx,
  projectId: string,
  kind: 'RULE' | 'AUDIENCE' | 'SEGMENT',
  count = 1,
): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into short_id_counters as counter (project_id, kind, last) values (${projectId}, ${kind}, ${count})
    on conflict (project_id, kind) do update set last = counter.last + excluded.last returning last`.execute(tx)
  return rows[0]!.last - count + 1
}
