import { type RawBuilder, sql } from 'kysely'
import {
  type ActionName,
  type AnnouncedName,
  type EventInEachProject,
  type EventOf,
  type ObjectOf,
  type OrganizationAction,
  type ProjectAction,
  publishReasonOf,
  type QuietAction,
} from '../catalogue/actions.ts'
import type { PayloadOf, RecordedName } from '../catalogue/payloads.ts'
import { isRefusal, notFound, type Refusal } from '../catalogue/refusals.ts'
import type { Tx } from './db/index.ts'
import { newId } from './ids.ts'
import type { Sweep } from './retention/index.ts'
import { currentSpan, nameAction } from './tracing/index.ts'
import { Abandoned, inOneTrip } from './transaction.ts'

/** The author of a change with address and request: the first half of every audit entry. */
export interface Actor {
  /** `user`: a person who is signed in to the dashboard. */
  type: 'user' | 'service_token' | 'personal_token' | 'system'
  id: string | null
  name: string
  /** The person who is signed in, or the owner of a personal token. */
  user: { id: string; name: string; email: string; role: string } | null
  requestId: string | null
  ip: string | null
  userAgent: string | null
  /** What the change was made from, such as a file, as the request says. */
  source?: string
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

/** What happened, as an event for subscribers. */
export type Event<Name extends RecordedName = RecordedName> = {
  [N in Name]: { name: N; payload: PayloadOf<N> }
}[Name]

/** One change: its audit entry and its events. Neither ever contains a secret. */
interface Audited<A extends ActionName> {
  orgId: string
  action: A
  object: { type: ObjectOf<A>; id: string; name: string }
  before?: unknown
  after?: unknown
}

export interface ProjectChange<A extends ProjectAction> extends Audited<A> {
  projectId: string
  /** At least one: a write in a project without an event is a mistake. */
  events: [Event<EventOf<A>>, ...Event<EventOf<A>>[]]
}

/** A change in a project that no event tells. */
export interface QuietChange<A extends QuietAction> extends Audited<A> {
  projectId: string
  events?: never
}

/** A change of the organization or of a person has no event, or one in every existing project. */
export interface OrganizationChange<A extends OrganizationAction> extends Audited<A> {
  projectId: null
  inEachProject?: Event<EventInEachProject<A>>
}

interface AnyChange extends Audited<ActionName> {
  projectId: string | null
  events?: readonly Event[]
  inEachProject?: Event
}

/** The cause of an event, as receivers and readers see it. */
export interface TriggeredBy {
  type: string
  id: string | null
  name: string
  email: string | null
  role: string | null
}

/** The person who owns a personal token, the service token itself, or null for the system. */
export function triggeredBy({ type, id, name, user }: Actor): TriggeredBy | null {
  if (type === 'system') return null
  if (!user) return { type, id, name, email: null, role: null }
  return { type, id: user.id, name: user.name, email: user.email, role: user.role }
}

/** An event as it was stored. */
export type RecordedEvent = Event & {
  id: string
  orgId: string
  projectId: string
  occurredAt: Date
  actor: Actor
}

/**
 * Is called with events in the transaction that writes them: its writes commit with them or not at all. It is called
 * while the events are being written; its statements are answered afterwards.
 */
export type Subscriber = (tx: Tx, events: RecordedEvent[]) => Promise<void>

type Place = Pick<RecordedEvent, 'orgId' | 'projectId'>

/** Who acts, when, and how changes are recorded. */
export interface Author {
  actor: Actor
  now: Date
  /** Writes the audit entry and the events of one change, in the transaction of the change. */
  record<A extends ProjectAction>(tx: Tx, change: ProjectChange<A>): Promise<void>
  record<A extends QuietAction>(tx: Tx, change: QuietChange<A>): Promise<void>
  record<A extends OrganizationAction>(tx: Tx, change: OrganizationChange<A>): Promise<void>
  /** Records several changes of one project in this order, each under its own author. */
  recordAll(tx: Tx, changes: readonly Authored[]): Promise<void>
  /** Sends an event that is not a change. It has no entry in the audit log. */
  announce(tx: Tx, place: Place, event: Event<AnnouncedName>): Promise<void>
}

/** A change in a project, with the author who made it. */
export interface Authored {
  by: Author
  change: Audited<ActionName> & { projectId: string; events: readonly Event[] }
}

/** Checks a change against the catalogue's row of its action. */
export const authored = <A extends ProjectAction>(by: Author, change: ProjectChange<A>): Authored => ({
  by,
  // What is true for each action is true for all of them, but types cannot express that.
  change: change as unknown as Authored['change'],
})

/**
 * Does work that is put together from several changes, and records them at its end, in their order: the audit log is
 * the last lock of a transaction, and a change after the first would take its own locks after it.
 */
export async function recordedLast<Result>(
  tx: Tx,
  by: Author,
  work: (by: Author) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const waiting: (() => Promise<void>)[] = []
  const waits = (record: () => Promise<void>) => {
    waiting.push(record)
    return Promise.resolve()
  }
  const result = await work({
    ...by,
    // Whatever may be recorded at once may be recorded later, but types cannot express that.
    record: (_: Tx, change: AnyChange) => waits(() => by.record(tx, change as ProjectChange<ProjectAction>)),
    recordAll: (_, changes) => waits(() => by.recordAll(tx, changes)),
    announce: (_, place, event) => waits(() => by.announce(tx, place, event)),
  })
  if (!isRefusal(result)) for (const record of waiting) await record()
  return result
}

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
  const tellOrAbandon = async (...told: Parameters<typeof tell>): Promise<void> => {
    if (!(await tell(...told))) throw new Abandoned(notFound('Project'))
  }
  const recordAll = async (tx: Tx, changes: readonly Authored[]) => {
    const [first] = changes
    if (!first) return
    const { orgId, projectId, action } = first.change
    nameAction(action)
    const told = changes.flatMap(({ by: { actor, now }, change }) =>
      change.events.map((event) => ({ event: withReason(change.action, event), actor, occurredAt: now })),
    )
    await tellOrAbandon(tx, { orgId, projectId }, told, auditEntries(changes))
  }
  return (actor) => {
    const now = clock()
    const author: Author = {
      actor,
      now,
      recordAll,
      async announce(tx, place, event) {
        nameAction(event.name)
        await tellOrAbandon(tx, place, [{ event, actor, occurredAt: now }], noEntry)
      },
      async record(tx: Tx, change: AnyChange) {
        const { orgId, projectId, events = [], inEachProject } = change
        if (projectId !== null && events.length > 0)
          return recordAll(tx, [{ by: author, change: { ...change, projectId, events } }])
        nameAction(change.action)
        await auditEntries([{ by: author, change }]).execute(tx)
        if (!inEachProject) return
        const told = [{ event: inEachProject, actor, occurredAt: now }]
        for (const each of await projectsOf(tx, orgId)) await tell(tx, { orgId, projectId: each }, told, noEntry)
      },
    }
    return author
  }
}

type ToldEvent = Pick<RecordedEvent, 'actor' | 'occurredAt'> & { event: Event }

/** Adds the reason to an event of a publish. */
function withReason(action: ActionName, event: Event): Event {
  if (event.name !== 'flag.published') return event
  const payload = { ...event.payload, reason: publishReasonOf(action) }
  return { ...event, payload }
}

/** The channel that has the id of an organization after every commit with a new audit entry of it. */
export const recordedChannel = 'svc_recorded'

/** A trigger (migration 0003) sets number and hash of an entry. It locks the head of the organization's chain. */
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
    returning pg_notify(${recordedChannel}, org_id::text)`
}

const noEntry = sql`select`

/**
 * Writes the entries first, then the project's counter, so that two changes of one organization cannot deadlock.
 * Returns false if the counter is closed because the project was deleted in the meantime.
 */
async function insertEvents(
  tx: Tx,
  { orgId, projectId }: Place,
  events: readonly RecordedEvent[],
  entries: RawBuilder<unknown>,
): Promise<boolean> {
  const traceParent = currentSpan()?.traceParent
  const rows = events.map(({ id, name, payload, actor, occurredAt }) => ({
    id,
    traceParent,
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
    insert into events (project_id, seq, id, org_id, name, payload, triggered_by, occurred_at, trace_parent)
    select ${projectId}::uuid, counter.last_seq - ${rows.length}::bigint + event.position, event.id, ${orgId}::uuid,
      event.name, event.payload, event.by, event.at, event."traceParent"
    from counter, rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as (id uuid, name text, payload jsonb, by jsonb, at timestamptz, "traceParent" text))
      with ordinality as event (id, name, payload, by, at, "traceParent", position)
    returning seq`.execute(tx)
  return written.length === rows.length
}

/** For the deletion of a project, after its last event: no later change of the project can commit. */
export async function closeEvents(tx: Tx, projectId: string): Promise<void> {
  await sql`update event_counters set closed = true where project_id = ${projectId}`.execute(tx)
}

async function projectsOf(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from projects where org_id = ${orgId} order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes events of one project at a time, the lowest numbers first, so that the remaining numbers have no gaps. */
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
