import { sql } from 'kysely'
import type { EventName } from '../../../catalogue/events.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { TriggeredBy } from '../../../platform/outbox.ts'

export interface StoredEvent {
  seq: number
  id: string
  name: EventName
  payload: Record<string, unknown>
  triggeredBy: TriggeredBy | null
  occurredAt: Date
}

export async function listEvents(
  db: Db,
  projectId: string,
  { after, name }: { after: number; name?: EventName | undefined },
  limit: number,
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select seq, id, name, payload, triggered_by as "triggeredBy", occurred_at as "occurredAt" from events
    where project_id = ${projectId} and seq > ${after} and (${name ?? null}::text is null or name = ${name ?? null})
    order by seq limit ${limit}`.execute(db)
  return rows
}

/** The number of the oldest remaining event after a number. */
export async function firstSeqAfter(db: Db, projectId: string, after: number): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number }>`
    select seq from events where project_id = ${projectId} and seq > ${after} order by seq limit 1`.execute(db)
  return rows[0]?.seq
}

/** The number of a project's last event; 0 if there is none. */
export async function lastSeq(db: Db, projectId: string): Promise<number> {
  const { rows } = await sql<{ lastSeq: number }>`
    select last_seq as "lastSeq" from event_counters where project_id = ${projectId}`.execute(db)
  return rows[0]?.lastSeq ?? 0
}
