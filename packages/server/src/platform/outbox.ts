import { type RawBuilder, sql } from 'kysely'
import type {
  ActionName,
  EventInEachProject,
  EventOf,
  ObjectOf,
  OrganizationAction,
  ProjectAction,
} from '../catalogue/actions.ts'
import type { PayloadOf, RecordedName } from '../catalogue/payloads.ts'
import type { Tx } from './db/index.ts'
import { newId } from './ids.ts'
import { inOneTrip } from './transaction.ts'

/** Who makes a change, from where, in which request: the left half of every audit entry. */
export interface Actor {
  /** `user`: somebody who is signed in to the dashboard. */
  type: 'user' | 'service_token' | 'personal_token' | 'system'
  id: string | null
  name: string
  /** The person who is signed in, or behind a personal token. */
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

/** What happened, for those who are told of it. */
export type Event<Name extends RecordedName = RecordedName> = {
  [N in Name]: { name: N; payload: PayloadOf<N> }
}[Name]

/** One change: what the audit log keeps of it, and the events that it makes. Neither ever holds a secret. */
interface Audited<A extends ActionName> {
  orgId: string
  action: A
  object: { type: ObjectOf<A>; id: string; name: string }
  before?: unknown
  after?: unknown
}

export interface ProjectChange<A extends ProjectAction> extends Audited<A> {
  projectId: string
  /** At least one: a write in a project that tells nobody is a mistake. */
  events: [Event<EventOf<A>>, ...Event<EventOf<A>>[]]
}

/** What concerns the organization or a person alone makes no event, or one in every project that exists. */
export interface OrganizationChange<A extends OrganizationAction> extends Audited<A> {
  projectId: null
  inEachProject?: Event<EventInEachProject<A>>
}

interface AnyChange extends Audited<ActionName> {
  projectId: string | null
  events?: readonly Event[]
  inEachProject?: Event
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
export type RecordedEvent = Event & {
  id: string
  orgId: string
  projectId: string
  occurredAt: Date
  actor: Actor
}

/**
 * Hears of events in the transaction that writes them: what it adds commits with them or not at all. It is told while
 * they are being written; what it asks of the transaction is answered afterwards.
 */
export type Subscriber = (tx: Tx, events: RecordedEvent[]) => Promise<void>

/** Who acts and when, and how their changes are written down. */
export interface Author {
  actor: Actor
  now: Date
  /** Writes the audit entry and the events of one change, in the change's own transaction. */
  record<A extends ProjectAction>(tx: Tx, change: ProjectChange<A>): Promise<void>
  record<A extends OrganizationAction>(tx: Tx, change: OrganizationChange<A>): Promise<void>
}

export type Authors = (actor: Actor) => Author

export function authors(subscribers: readonly Subscriber[], clock: () => Date): Authors {
  return (actor) => {
    const now = clock()
    return {
      actor,
      now,
      async record(tx: Tx, change: AnyChange) {
        const { orgId, projectId, events = [], inEachProject } = change
        const tell = async (inProject: string, told: readonly Event[], entry?: RawBuilder<unknown>) => {
          const place = { orgId, projectId: inProject, occurredAt: now, actor }
          const events = told.map((event) => ({ id: newId(), ...event, ...place }))
          const written = insertEvents(tx, place, events, entry)
          await inOneTrip([written, ...subscribers.map((subscriber) => subscriber(tx, events))])
        }
        const entry = auditEntry(actor, now, change)
        if (projectId !== null) return tell(projectId, events, entry)
        await entry.execute(tx)
        if (!inEachProject) return
        for (const each of await projectsOf(tx, orgId)) await tell(each, [inEachProject])
      },
    }
  }
}

/** The entry's number and hash come from a trigger (migration 0003), which locks the head of the organization's chain. */
const auditEntry = (by: Actor, now: Date, { orgId, projectId, action, object, before, after }: AnyChange) => sql`
  insert into audit_entries (id, org_id, project_id, at, actor_type, actor_id, actor_name, action,
    object_type, object_id, object_name, before, after, request_id, ip, user_agent)
  values (${newId()}, ${orgId}, ${projectId}, ${now}, ${by.type}, ${by.id}, ${by.name}, ${action},
    ${object.type}, ${object.id}, ${object.name}, ${toJson(before)}, ${toJson(after)}, ${by.requestId}, ${by.ip},
    ${by.userAgent})
  returning id`

/** The entry first, then the project's counter: two changes of one organization never wait for each other in a ring. */
async function insertEvents(
  tx: Tx,
  { orgId, projectId, occurredAt, actor }: Pick<RecordedEvent, 'orgId' | 'projectId' | 'occurredAt' | 'actor'>,
  events: readonly RecordedEvent[],
  entry: RawBuilder<unknown> = sql`select`,
): Promise<void> {
  const rows = events.map(({ id, name, payload }) => ({ id, name, payload }))
  await sql`
    with entry as (${entry}), counter as (
      insert into event_counters (project_id, last_seq) select ${projectId}, ${rows.length} from entry
      on conflict (project_id) do update set last_seq = event_counters.last_seq + ${rows.length}
      returning last_seq
    )
    insert into events (project_id, seq, id, org_id, name, payload, triggered_by, occurred_at)
    select ${projectId}::uuid, counter.last_seq - ${rows.length}::bigint + event.position, event.id, ${orgId}::uuid,
      event.name, event.payload, ${toJson(triggeredBy(actor) ?? undefined)}::jsonb, ${occurredAt}::timestamptz
    from counter, rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as (id uuid, name text, payload jsonb)) with ordinality as event (id, name, payload, position)`.execute(tx)
}

async function projectsOf(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from projects where org_id = ${orgId} order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
