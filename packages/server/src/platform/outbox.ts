import { type RawBuilder, sql } from 'kysely'
import {
  type ActionName,
  type EventInEachProject,
  type EventOf,
  type ObjectOf,
  type OrganizationAction,
  type ProjectAction,
  publishReasonOf,
} from '../catalogue/actions.ts'
import type { PayloadOf, RecordedName } from '../catalogue/payloads.ts'
import { notFound } from '../catalogue/refusals.ts'
import type { Tx } from './db/index.ts'
import { newId } from './ids.ts'
import type { Sweep } from './retention/index.ts'
import { Abandoned, inOneTrip } from './transaction.ts'

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
  /** Writes down several changes of one project, in this order, each in the name of its own author. */
  recordAll(tx: Tx, changes: readonly Authored[]): Promise<void>
}

/** A change in a project, with the author who made it. */
export interface Authored {
  by: Author
  change: Audited<ActionName> & { projectId: string; events: readonly Event[] }
}

/** Holds a change against what the catalogue says of its action. */
export const authored = <A extends ProjectAction>(by: Author, change: ProjectChange<A>): Authored => ({
  by,
  // What holds for each action holds for whichever it is, which types cannot say.
  change: change as unknown as Authored['change'],
})

export type Authors = (actor: Actor) => Author

export function authors(subscribers: readonly Subscriber[], clock: () => Date): Authors {
  const tell = async (tx: Tx, place: Place, told: readonly ToldEvent[], entries: RawBuilder<unknown>) => {
    const events = told.map(({ event, actor, occurredAt }) => ({
      id: newId(),
      ...event,
      ...place,
      actor,
      occurredAt,
    }))
    const [isWritten] = await inOneTrip([
      insertEvents(tx, place, events, entries),
      ...subscribers.map((subscriber) => subscriber(tx, events)),
    ])
    return isWritten
  }
  const recordAll = async (tx: Tx, changes: readonly Authored[]) => {
    const [first] = changes
    if (!first) return
    const { orgId, projectId } = first.change
    const told = changes.flatMap(({ by: { actor, now }, change }) =>
      change.events.map((event) => ({ event: withReason(change.action, event), actor, occurredAt: now })),
    )
    if (!(await tell(tx, { orgId, projectId }, told, auditEntries(changes)))) throw new Abandoned(notFound('Project'))
  }
  return (actor) => {
    const now = clock()
    const author: Author = {
      actor,
      now,
      recordAll,
      async record(tx: Tx, change: AnyChange) {
        const { orgId, projectId, events = [], inEachProject } = change
        if (projectId !== null) return recordAll(tx, [{ by: author, change: { ...change, projectId, events } }])
        await auditEntries([{ by: author, change }]).execute(tx)
        if (!inEachProject) return
        const told = [{ event: inEachProject, actor, occurredAt: now }]
        for (const each of await projectsOf(tx, orgId)) await tell(tx, { orgId, projectId: each }, told, noEntry)
      },
    }
    return author
  }
}

type Place = Pick<RecordedEvent, 'orgId' | 'projectId'>
type ToldEvent = Pick<RecordedEvent, 'actor' | 'occurredAt'> & { event: Event }

/** Says why something was published. */
function withReason(action: ActionName, event: Event): Event {
  if (event.name !== 'flag.published') return event
  const payload = { ...event.payload, reason: publishReasonOf(action) }
  return { ...event, payload }
}

/** Number and hash of an entry come from a trigger (migration 0003), which locks the head of the organization's chain. */
function auditEntries(changes: readonly { by: Author; change: AnyChange }[]): RawBuilder<unknown> {
  const entries = changes.map(({ by: { actor, now }, change }) => ({
    id: newId(),
    orgId: change.orgId,
    projectId: change.projectId,
    at: now,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    action: change.action,
    objectType: change.object.type,
    objectId: change.object.id,
    objectName: change.object.name,
    before: change.before,
    after: change.after,
    requestId: actor.requestId,
    ip: actor.ip,
    userAgent: actor.userAgent,
  }))
  return sql`
    insert into audit_entries (id, org_id, project_id, at, actor_type, actor_id, actor_name, action,
      object_type, object_id, object_name, before, after, request_id, ip, user_agent)
    select id, "orgId", "projectId", at, "actorType", "actorId", "actorName", action, "objectType", "objectId",
      "objectName", before, after, "requestId", ip, "userAgent"
    from rows from (jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as (id uuid, "orgId" uuid, "projectId" uuid,
      at timestamptz, "actorType" text, "actorId" uuid, "actorName" text, action text, "objectType" text,
      "objectId" uuid, "objectName" text, before jsonb, after jsonb, "requestId" text, ip text, "userAgent" text))
      with ordinality as entry (id, "orgId", "projectId", at, "actorType", "actorId", "actorName", action, "objectType",
      "objectId", "objectName", before, after, "requestId", ip, "userAgent", position)
    order by position
    returning id`
}

const noEntry = sql`select`

/**
 * The entries first, then the project's counter: two changes of one organization never wait for each other in a ring.
 * Answers false where the counter is closed: the project was deleted meanwhile.
 */
async function insertEvents(
  tx: Tx,
  { orgId, projectId }: Place,
  events: readonly RecordedEvent[],
  entries: RawBuilder<unknown>,
): Promise<boolean> {
  const rows = events.map(({ id, name, payload, actor, occurredAt }) => ({
    id,
    name,
    payload,
    by: triggeredBy(actor),
    at: occurredAt,
  }))
  const { rows: written } = await sql`
    with entry as (${entries}), counter as (
      insert into event_counters (project_id, last_seq)
      select ${projectId}::uuid, ${rows.length}::bigint where exists (select from entry)
      on conflict (project_id) do update set last_seq = event_counters.last_seq + excluded.last_seq
        where not event_counters.closed
      returning last_seq
    )
    insert into events (project_id, seq, id, org_id, name, payload, triggered_by, occurred_at)
    select ${projectId}::uuid, counter.last_seq - ${rows.length}::bigint + event.position, event.id, ${orgId}::uuid,
      event.name, event.payload, event.by, event.at
    from counter, rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as (id uuid, name text, payload jsonb, by jsonb, at timestamptz))
      with ordinality as event (id, name, payload, by, at, position)
    returning seq`.execute(tx)
  return written.length === rows.length
}

/** For the deletion of a project, behind its last event: no change of the project commits after it. */
export async function closeEvents(tx: Tx, projectId: string): Promise<void> {
  await sql`update event_counters set closed = true where project_id = ${projectId}`.execute(tx)
}

async function projectsOf(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from projects where org_id = ${orgId} order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Events go one project at a time, the oldest numbers first, so that the numbers that are left have no gap. */
export const eventSweep = (keepForMs: number): Sweep => ({
  name: 'events',
  everyMs: 3_600_000,
  keepForMs,
  async sweep(db, before, limit) {
    const { rows } = await sql`
      with project as (
        select event_counters.project_id
        from event_counters cross join lateral (
          select occurred_at from events where events.project_id = event_counters.project_id order by seq limit 1
        ) as oldest
        where oldest.occurred_at < ${before} limit 1
      ),
      oldest as (
        select events.project_id, events.seq, events.occurred_at
        from project join events on events.project_id = project.project_id
        order by events.seq limit ${limit}
      )
      delete from events using oldest
      where events.project_id = oldest.project_id and events.seq = oldest.seq
        and events.seq < coalesce((select min(seq) from oldest where occurred_at >= ${before}), events.seq + 1)
      returning events.seq`.execute(db)
    return rows.length
  },
})
