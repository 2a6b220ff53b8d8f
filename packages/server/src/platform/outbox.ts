import { sql } from 'kysely'
import type { EventName } from '../events.ts'
import type { Tx } from './db/index.ts'
import { newId } from './ids.ts'

/** Who makes a change, from where, in which request: the left half of every audit entry. */
export interface Actor {
  type: 'service_token' | 'personal_token' | 'system'
  id: string | null
  name: string
  requestId: string | null
  ip: string | null
  userAgent: string | null
}

export const systemActor = (name: string): Actor => ({
  type: 'system',
  id: null,
  name,
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
  object: { type: 'project' | 'environment' | 'flag' | 'rule'; id: string; name: string }
  before?: unknown
  after?: unknown
  /** At least one: a write that tells nobody is a mistake. */
  events: [Event, ...Event[]]
}

/** Writes the audit entry and the events of one change, in the change's own transaction and in one statement. */
export async function recordChange(tx: Tx, by: Actor, now: Date, change: Change): Promise<void> {
  const rows = change.events.map((event) => ({ id: newId(), ...event }))
  await sql`
    with entry as (
      insert into audit_entries (id, org_id, project_id, at, actor_type, actor_id, actor_name, action,
        object_type, object_id, object_name, before, after, request_id, ip, user_agent)
      values (${newId()}, ${change.orgId}, ${change.projectId}, ${now}, ${by.type}, ${by.id}, ${by.name},
        ${change.action}, ${change.object.type}, ${change.object.id}, ${change.object.name},
        ${toJson(change.before)}, ${toJson(change.after)}, ${by.requestId}, ${by.ip}, ${by.userAgent})
    )
    insert into events (id, org_id, project_id, name, payload, occurred_at)
    select event.id, ${change.orgId}::uuid, ${change.projectId}::uuid, event.name, event.payload, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as event (id uuid, name text, payload jsonb)`.execute(tx)
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
