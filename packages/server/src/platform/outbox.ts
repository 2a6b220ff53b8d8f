import { sql } from 'kysely'
import type { EventName } from '../events.ts'
import type { Tx } from './db/index.ts'
import { newId } from './ids.ts'

/** Who makes a change, from where, in which request: the left half of every audit entry. */
export interface Actor {
  type: 'service_token' | 'personal_token' | 'system'
  id: string | null
  name: string
  /** Of the person behind a personal token. */
  user: { id: string; name: string; email: string; role: string } | null
  requestId: string | null
  ip: string | null
  userAgent: string | null
}

export const systemActor = (name: string): Actor => ({
  type: 'system',
  id: null,
  name,
  user: null,
  requestId: null,
  ip: null,
  userAgent: null,
})

export interface Event {
  name: EventName
  payload: Record<string, unknown>
}

export interface Change {
  orgId: string
  projectId: string
  action: string
  object: { type: 'project' | 'environment' | 'flag' | 'rule' | 'webhook'; id: string; name: string }
  before?: unknown
  after?: unknown
  /** At least one: a write that tells nobody is a mistake. */
  events: [Event, ...Event[]]
}

/** Who caused an event, as receivers and readers see it. */
export interface TriggeredBy {
  type: string
  id: string | null
  name: string
  email: string | null
  role: string | null
}

/** The person behind a personal token, the service token itself, or null for the system. */
export function triggeredBy({ type, id, name, user }: Actor): TriggeredBy | null {
  if (type === 'system') return null
  if (!user) return { type, id, name, email: null, role: null }
  return { type, id: user.id, name: user.name, email: user.email, role: user.role }
}

/** An event as it was written down. */
export interface RecordedEvent extends Event {
  id: string
  orgId: string
  projectId: string
  occurredAt: Date
  actor: Actor
}

/** Hears of events in the transaction that writes them: what it adds commits with them or not at all. */
export type Subscriber = (tx: Tx, events: RecordedEvent[]) => Promise<void>

/** Who acts and when, and how their changes are written down. */
export interface Author {
  actor: Actor
  now: Date
  /** Writes the audit entry and the events of one change, in the change's own transaction. */
  record(tx: Tx, change: Change): Promise<void>
}

export type Authors = (actor: Actor) => Author

export function authors(subscribers: readonly Subscriber[], clock: () => Date): Authors {
  return (actor) => {
    const now = clock()
    return {
      actor,
      now,
      async record(tx, change) {
        const { orgId, projectId } = change
        const events = change.events.map((event) => ({
          id: newId(),
          ...event,
          orgId,
          projectId,
          occurredAt: now,
          actor,
        }))
        await insertChange(tx, actor, now, change, events)
        for (const subscriber of subscribers) await subscriber(tx, events)
      },
    }
  }
}

async function insertChange(
  tx: Tx,
  by: Actor,
  now: Date,
  { orgId, projectId, action, object, before, after }: Change,
  events: readonly RecordedEvent[],
): Promise<void> {
  const rows = events.map(({ id, name, payload }) => ({ id, name, payload }))
  await sql`
    with entry as (
      insert into audit_entries (id, org_id, project_id, at, actor_type, actor_id, actor_name, action,
        object_type, object_id, object_name, before, after, request_id, ip, user_agent)
      values (${newId()}, ${orgId}, ${projectId}, ${now}, ${by.type}, ${by.id}, ${by.name}, ${action},
        ${object.type}, ${object.id}, ${object.name}, ${toJson(before)}, ${toJson(after)}, ${by.requestId}, ${by.ip},
        ${by.userAgent})
    ), counter as (
      insert into event_counters (project_id, last_seq) values (${projectId}, ${rows.length})
      on conflict (project_id) do update set last_seq = event_counters.last_seq + ${rows.length}
      returning last_seq
    )
    insert into events (project_id, seq, id, org_id, name, payload, triggered_by, occurred_at)
    select ${projectId}::uuid, counter.last_seq - ${rows.length}::bigint + event.position, event.id, ${orgId}::uuid,
      event.name, event.payload, ${toJson(triggeredBy(by) ?? undefined)}::jsonb, ${now}::timestamptz
    from counter, rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as (id uuid, name text, payload jsonb)) with ordinality as event (id, name, payload, position)`.execute(tx)
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
