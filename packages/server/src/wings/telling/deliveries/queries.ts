import { sql } from 'kysely'
import { type EventName, eventNames, isSafetyEvent } from '../../../catalogue/events.ts'
import { integerColumn, numberColumn, textColumn, timeColumn, uuidColumn } from '../../../platform/db/columns.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Claim, Claimed } from '../../../platform/queue/index.ts'
import { beginTurns, endAllTurns, endTurns, findReady, isOfOrganization, turnColumns } from '../destinations/index.ts'
import { type Batch, type BatchedDelivery, batchOf, foldedMax } from './batch.ts'
import { type ClaimedDelivery, type DeliveryStatus, retryingCountedMax, type Settlement } from './delivery.ts'

/** Whether a delivery of one of these events still waits at a destination. */
export async function hasWaiting(db: Db, destinationId: string, events: readonly EventName[]): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from deliveries where destination_id = ${destinationId} and status = 'PENDING'
        and event_type = any(${[...events]}::text[])) as found`.execute(db)
  return rows[0]!.found
}

/** Deletes the deliveries that still wait at a destination. */
export async function deleteWaiting(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    delete from deliveries where destination_id = any(${[...ids]}::uuid[]) and status = 'PENDING'`.execute(tx)
}

/** Deletes what a destination has heard of other projects, and what it is still to hear of them. */
export async function deleteOfOtherProjects(
  tx: Tx,
  { id, projectId }: { id: string; projectId: string },
): Promise<void> {
  await sql`
    delete from deliveries where destination_id = ${id} and event_id is not null and not exists (
      select from events where events.id = deliveries.event_id and events.project_id = ${projectId})`.execute(tx)
}

export interface NewDelivery {
  id: string
  destinationId: string
  deliveryId: string
  eventId: string | null
  eventType: EventName
  sourceEntityId: string | null
  isTest: boolean
  secretId: string
  body: string
  /** Inserts a test ping, leased to its caller. */
  attempts: number
  dueAt: Date
}

export const deliveriesChannel = 'svc_deliveries'

/** Notifies the workers of all nodes when the transaction commits. */
export async function wakeWorkers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${deliveriesChannel}, '')`.execute(tx)
}

/** Inserts rows and notifies the workers when the transaction commits. */
export async function insertDeliveries(tx: Tx, rows: readonly NewDelivery[], now: Date): Promise<void> {
  await sql`
    with inserted as (
      insert into deliveries (id, destination_id, delivery_id, event_id, event_type, source_entity_id, is_test, secret_id,
        body, attempts, due_at, next_retry_at, created_at)
      select id, "destinationId", "deliveryId", "eventId", "eventType", "sourceEntityId", "isTest", "secretId", body,
        attempts, "dueAt", null, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id uuid, "destinationId" uuid, "deliveryId" uuid,
        "eventId" uuid, "eventType" text, "sourceEntityId" uuid, "isTest" boolean, "secretId" uuid, body text,
        attempts integer, "dueAt" timestamptz)
    )
    select pg_notify(${deliveriesChannel}, '')`.execute(tx)
}

export interface Delivery {
  id: string
  destinationId: string
  deliveryId: string
  eventType: EventName
  sourceEntityId: string | null
  isTest: boolean
  body: string
  status: DeliveryStatus
  attempts: number
  lastAttemptAt: Date | null
  nextRetryAt: Date | null
  responseStatus: number | null
  responseBody: string | null
  errorMessage: string | null
  createdAt: Date
}

const deliveryColumns = sql`id, destination_id as "destinationId", delivery_id as "deliveryId", event_type as "eventType",
  source_entity_id as "sourceEntityId", is_test as "isTest", body, status, attempts,
  last_attempt_at as "lastAttemptAt", next_retry_at as "nextRetryAt", response_status as "responseStatus",
  response_body as "responseBody", error_message as "errorMessage", created_at as "createdAt"`

export async function findDelivery(db: Db, destinationId: string, recordId: string): Promise<Delivery | undefined> {
  if (!isId(recordId)) return undefined
  const { rows } = await sql<Delivery>`
    select ${deliveryColumns} from deliveries where id = ${recordId} and destination_id = ${destinationId}`.execute(db)
  return rows[0]
}

export async function lockDelivery(tx: Tx, recordId: string): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    select ${deliveryColumns} from deliveries where id = ${recordId} for update`.execute(tx)
  return rows[0]
}

export interface DeliveryFilters {
  status?: DeliveryStatus | null | undefined
  eventType?: EventName | null | undefined
  since: Date
  until?: Date | null | undefined
}

/** Newest first. */
export async function listDeliveries(
  db: Db,
  destinationId: string,
  { status = null, eventType = null, since, until = null }: DeliveryFilters,
  after: string | null,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select ${deliveryColumns} from deliveries
    where destination_id = ${destinationId} and created_at >= ${since} and (${after}::uuid is null or id < ${after}::uuid)
      and (${until}::timestamptz is null or created_at < ${until}::timestamptz)
      and (${status}::text is null or status = ${status}::text)
      and (${eventType}::text is null or event_type = ${eventType}::text)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * How many deliveries of each of these destinations are tried again, counted up to a limit. Those are due after the ones
 * that wait for their first attempt.
 */
export async function countRetrying(db: Db, rows: readonly { id: string }[]): Promise<Map<string, number>> {
  const { rows: counts } = await sql<{ id: string; count: number }>`
    select destination.id, (
        select count(*)::integer from (
          select from deliveries
          where destination_id = destination.id and status = 'PENDING' and next_retry_at is not null
          order by due_at desc limit ${retryingCountedMax}
        ) counted
      ) as count
    from unnest(${rows.map(({ id }) => id)}::uuid[]) as destination (id)`.execute(db)
  return new Map(counts.map(({ id, count }) => [id, count]))
}

/** Starts a new cycle of attempts with the current secret. */
export async function restartDelivery(tx: Tx, recordId: string, secretId: string, now: Date): Promise<void> {
  await sql`
    update deliveries set status = 'PENDING', attempts = 0, due_at = ${now}, next_retry_at = ${now},
      secret_id = ${secretId}
    where id = ${recordId}`.execute(tx)
  await wakeWorkers(tx)
}

export interface RestartRange {
  since: Date
  until: Date
  statuses: readonly DeliveryStatus[]
  except: readonly EventName[]
  secretId: string
}

export const maxReplayed = 10_000

/** Starts new cycles for deliveries that ended, from a time range, oldest first. Returns how many. */
export async function restartDeliveries(
  tx: Tx,
  destinationId: string,
  range: RestartRange,
  now: Date,
): Promise<number> {
  const { rows } = await sql`
    update deliveries set status = 'PENDING', attempts = 0, due_at = ${now}, next_retry_at = ${now},
      secret_id = ${range.secretId}
    where id in (
      select id from deliveries
      where destination_id = ${destinationId} and not is_test and status = any(${[...range.statuses]}::text[])
        and created_at >= ${range.since} and created_at < ${range.until}
        and event_type <> all(${[...range.except]}::text[])
      order by id limit ${maxReplayed} for update
    )
    returning id`.execute(tx)
  await wakeWorkers(tx)
  return rows.length
}

/** A claimed delivery with everything that its attempt needs. */
export interface Job extends ClaimedDelivery {
  deliveryId: string
  eventType: EventName
  body: string
  url: string
  sealedSecret: Buffer
  secretId: string
  leaseUntil: Date
}

/** The job of a record that is leased to its caller: a test ping. */
export async function findJob(db: Db, recordId: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select deliveries.id, due_at as "leaseUntil", deliveries.destination_id as "destinationId", delivery_id as "deliveryId",
      event_type as "eventType", is_test as "isTest", attempts, claims as fence, body, destinations.url,
      deliveries.secret_id as "secretId",
      destination_secrets.sealed as "sealedSecret"
    from deliveries join destinations on destinations.id = deliveries.destination_id
    join destination_secrets on destination_secrets.id = deliveries.secret_id
    where deliveries.id = ${recordId}`.execute(db)
  return rows[0]
}

/**
 * Claims due rows under a lease. Each destination with due rows gets an equal share, so that a long queue does not delay
 * others. If there are more destinations than rows to claim, they take turns. Destinations without pending rows cost
 * nothing, because the index scan skips from the first row of one destination to the next. Rows that a different worker is
 * claiming are skipped. `claims` is the fencing number: a settlement with an older one changes nothing.
 *
 * @param isDurable whether the claim must survive a crash of the database. It need not if all workers crash with it.
 */
export async function claimDue(db: Db, claim: Claim, isDurable: boolean): Promise<Claimed<Job>> {
  const { now, leaseUntil, total, perLane, exceptions, after } = claim
  const commit = isDurable ? sql`` : sql`, (select set_config('synchronous_commit', 'off', true)) as commit`
  const { rows } = await sql<Omit<Job, 'leaseUntil'> & { share: number }>`
    with recursive pending as (
      (select destination_id, due_at from deliveries where status = 'PENDING' order by destination_id, due_at limit 1)
      union all
      select next.destination_id, next.due_at
      from pending cross join lateral (
        select destination_id, due_at from deliveries
        where status = 'PENDING' and deliveries.destination_id > pending.destination_id
        order by deliveries.destination_id, deliveries.due_at limit 1
      ) as next
    ),
    served as materialized (
      select pending.destination_id, coalesce(allowed.allowance, ${perLane}) as allowance
      from pending
      left join unnest(${[...exceptions.keys()]}::uuid[], ${[...exceptions.values()]}::integer[])
        as allowed (destination_id, allowance) on allowed.destination_id = pending.destination_id
      where pending.due_at <= ${now} and coalesce(allowed.allowance, ${perLane}) > 0
        and exists (
          select from destinations where destinations.id = pending.destination_id and destinations.kind = 'WEBHOOK'
            and destinations.enabled and ${isOfOrganization})
      order by pending.destination_id <= ${after}::uuid, pending.destination_id
      limit ${total}
    ),
    shares as materialized (select greatest(1, ${total}::integer / nullif(count(*), 0))::integer as share from served),
    taken as (
      update deliveries set attempts = attempts + 1, claims = claims + 1, due_at = ${leaseUntil}, next_retry_at = null
      where id = any(array(
        select delivery.id from served cross join lateral (
          select deliveries.id from deliveries
          where deliveries.destination_id = served.destination_id and status = 'PENDING' and due_at <= ${now}
          order by due_at
          limit least(served.allowance, (select share from shares))
          for update skip locked
        ) as delivery
      ))
      returning *
    )
    select taken.id, taken.destination_id as "destinationId", taken.delivery_id as "deliveryId",
      taken.event_type as "eventType", taken.is_test as "isTest", taken.attempts, taken.claims as fence, taken.body,
      destinations.url, taken.secret_id as "secretId", destination_secrets.sealed as "sealedSecret", shares.share
    from shares ${commit}, taken join destinations on destinations.id = taken.destination_id
    join destination_secrets on destination_secrets.id = taken.secret_id
    order by taken.id`.execute(db)
  return { jobs: rows.map((row) => Object.assign(row, { leaseUntil })), share: rows[0]?.share ?? total }
}

const safetyEvents = eventNames.filter(isSafetyEvent)

/** The delivery comes with a digest, also a retried one, or has waited since the change and was never sent. */
const isHeldBack = sql`(attempts = 0 and next_retry_at is null and due_at > created_at or exists (
  select from destinations where destinations.id = deliveries.destination_id and digest <> 'NONE'))`

export interface BatchClaim extends Claim {
  /** The end of the lease for mail, which can take longer: a mail server gets the mails of a batch one after the other. */
  mailUntil: Date
  /** The kinds whose deliveries become one message if many wait. */
  folds: readonly string[]
}

/** Claims the next batch of each destination whose turn can begin. Safety events come first, each alone. */
export async function claimBatches(db: Db, claim: BatchClaim): Promise<Batch[]> {
  const { now, folds, total, exceptions, after } = claim
  const full = [...exceptions].flatMap(([id, allowance]) => (allowance <= 0 ? [id] : []))
  const ids = await findReady(db, { now, except: full, after, limit: total })
  if (ids.length === 0) return []
  return db.transaction().execute(async (tx) => {
    const turns = await beginTurns(tx, ids, claim)
    const { rows: due } = await sql<{ destinationId: string; id: string; isSafety: boolean; isHeldBack: boolean }>`
      select due.destination_id as "destinationId", due.id, due."isSafety", due."isHeldBack"
      from unnest(${turns.map(({ destinationId }) => destinationId)}::uuid[]) as destination (id)
        cross join lateral (
          select deliveries.destination_id, deliveries.id, event_type = any(${safetyEvents}::text[]) as "isSafety",
            ${isHeldBack} as "isHeldBack"
          from deliveries
          where deliveries.destination_id = destination.id and status = 'PENDING' and due_at <= ${now}
          order by event_type = any(${safetyEvents}::text[]) desc, due_at, deliveries.id limit ${foldedMax}
          for update skip locked
        ) due`.execute(tx)
    const dueOf = Map.groupBy(due, ({ destinationId }) => destinationId)
    const taken = turns.flatMap(({ destinationId, kind }) =>
      batchOf(dueOf.get(destinationId) ?? [], folds.includes(kind)).map(({ id }) => id),
    )
    const { rows: claimed } = await sql<BatchedDelivery>`
      update deliveries set attempts = attempts + 1, claims = claims + 1, due_at = destinations.busy_until,
        next_retry_at = null
      from destinations
      where deliveries.id = any(${taken}::uuid[]) and destinations.id = deliveries.destination_id
      returning ${batchedColumns}`.execute(tx)
    const deliveriesOf = Map.groupBy(
      claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      ({ destinationId }) => destinationId,
    )
    const batches = turns.map((turn) => ({
      ...turn,
      claimedAt: now,
      deliveries: deliveriesOf.get(turn.destinationId) ?? [],
    }))
    const empty = batches.filter(({ deliveries }) => deliveries.length === 0)
    if (empty.length > 0) await endTurns(tx, empty)
    return batches.filter(({ deliveries }) => deliveries.length > 0)
  })
}

const batchedColumns = sql`deliveries.id, deliveries.destination_id as "destinationId", delivery_id as "deliveryId",
  event_type as "eventType", is_test as "isTest", attempts, claims as fence, body`

/** The batch of a record that is leased to its caller: a test message. It does not wait for its turn. */
export async function findBatch(db: Db, recordId: string, now: Date): Promise<Batch | undefined> {
  const { rows } = await sql<Omit<Batch, 'deliveries' | 'claimedAt'> & BatchedDelivery>`
    select ${batchedColumns}, ${turnColumns}, due_at as "leaseUntil"
    from deliveries join destinations on destinations.id = deliveries.destination_id
      join destination_secrets secret on secret.id = destinations.secret_id
    where deliveries.id = ${recordId}`.execute(db)
  return rows.map((row) => ({ ...row, deliveries: [row], claimedAt: now }))[0]
}

/** Gives back batches that were not begun, as if they had never been claimed. */
export async function releaseBatches(db: Db, batches: readonly Batch[], now: Date): Promise<void> {
  const deliveries = batches.flatMap((batch) => batch.deliveries)
  await db.transaction().execute(async (tx) => {
    await endTurns(tx, batches)
    await releaseJobs(tx, deliveries, now)
  })
}

/** The same for everything that a process held when it crashed. */
export async function releaseAllBatches(db: Db, now: Date): Promise<void> {
  await endAllTurns(db)
  await releaseLeases(db, now)
}

const rowsOf = (settlements: readonly Settlement[]) => sql`(
  select unnest(${uuidColumn(settlements, ({ id }) => id)}::uuid[]) as id,
    unnest(${integerColumn(settlements, ({ fence }) => fence)}::integer[]) as fence,
    unnest(${textColumn(settlements, ({ status }) => status)}::text[]) as status,
    unnest(${integerColumn(settlements, ({ attempts }) => attempts)}::integer[]) as attempts,
    unnest(${textColumn(settlements, ({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[]) as "dueAt",
    unnest(${timeColumn(settlements, ({ lastAttemptAt }) => lastAttemptAt.getTime())}::timestamptz[]) as "lastAttemptAt",
    unnest(${numberColumn(settlements, ({ responseStatus }) => responseStatus)}::integer[]) as "responseStatus",
    unnest(${textColumn(settlements, ({ responseBody }) => responseBody)}::text[]) as "responseBody",
    unnest(${textColumn(settlements, ({ errorMessage }) => errorMessage)}::text[]) as "errorMessage"
) as row`

const settled = sql`status = row.status, attempts = row.attempts, due_at = row."dueAt", next_retry_at = row."dueAt",
  last_attempt_at = row."lastAttemptAt", response_status = row."responseStatus", response_body = row."responseBody",
  error_message = row."errorMessage"`

/** Writes results. Rows that were claimed again, deleted or settled meanwhile stay as they are. */
export async function settleDeliveries(tx: Tx, settlements: readonly Settlement[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set ${settled} from ${rowsOf(settlements)}
    where deliveries.id = row.id and deliveries.claims = row.fence and deliveries.status = 'PENDING'
    returning deliveries.id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The same for results that do not change their destinations: successes if no failure is counted, and failures that will be
 * retried. It neither locks destinations nor waits for such locks, for example of a deletion. The rows that it skips are
 * settled in a transaction.
 */
export async function settleUneventful(db: Db, settlements: readonly Settlement[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with row as materialized (
      select row.*
      from ${rowsOf(settlements)} join deliveries on deliveries.id = row.id
        join destinations on destinations.id = deliveries.destination_id
      where deliveries.claims = row.fence and deliveries.status = 'PENDING'
        and (row.status = 'PENDING' or deliveries.is_test or destinations.consecutive_failures = 0)
      for update of deliveries skip locked
    )
    update deliveries set ${settled} from row
    where deliveries.id = row.id
    returning deliveries.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The span of the change that a delivery reports. Null if it was not traced, and for a test ping. */
export async function traceParentOf(db: Db, recordId: string): Promise<string | null> {
  const { rows } = await sql<{ traceParent: string | null }>`
    select events.trace_parent as "traceParent" from deliveries join events on events.id = deliveries.event_id
    where deliveries.id = ${recordId}`.execute(db)
  return rows[0]?.traceParent ?? null
}

/** Returns claimed jobs that were not started, as if they had never been claimed. */
export async function releaseJobs(db: Db, jobs: readonly Pick<Job, 'id' | 'fence'>[], now: Date): Promise<void> {
  await sql`
    update deliveries set attempts = deliveries.attempts - 1, due_at = ${now}, next_retry_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(jobs.map(({ id, fence }) => ({ id, fence })))}::jsonb)
      as job (id uuid, fence integer)
    where deliveries.id = job.id and deliveries.claims = job.fence and deliveries.status = 'PENDING'`.execute(db)
}

/**
 * Ends the leases of a process that has crashed. On the embedded database, no other process can have leases. The
 * attempts do not count, because they may never have been sent. Test pings end, because their caller is gone too.
 */
export async function releaseLeases(db: Db, now: Date): Promise<void> {
  await sql`
    update deliveries set attempts = attempts - case when is_test then 0 else 1 end, due_at = ${now},
      next_retry_at = ${now}
    where status = 'PENDING' and next_retry_at is null and attempts > 0`.execute(db)
}

/** How many deliveries are pending, and since when the oldest claimable one is due. */
export async function queueState(db: Db): Promise<{ depth: number; oldestDueAt: Date | null }> {
  const { rows } = await sql<{ depth: number; oldestDueAt: Date | null }>`
    select count(*)::integer as depth, min(deliveries.due_at) filter (where destinations.enabled) as "oldestDueAt"
    from deliveries join destinations on destinations.id = deliveries.destination_id
    where deliveries.status = 'PENDING'`.execute(db)
  return rows[0]!
}

/** Deletes a batch of records past their retention. Returns how many. */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from deliveries where id in (
      select id from deliveries where created_at < ${before} order by created_at limit ${limit}
      for update skip locked
    ) returning id`.execute(db)
  return rows.length
}
