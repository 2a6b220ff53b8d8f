import { sql } from 'kysely'
import type { EventName } from '../../../catalogue/events.ts'
import { nounQueries } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Claim, Claimed } from '../../../platform/queue/index.ts'
import type { NotificationFilter } from '../notifications/index.ts'
import type { ClaimedDelivery, DeliveryStatus, Settlement } from './delivery.ts'
import type { PayloadProject } from './payload.ts'

export interface Webhook {
  id: string
  projectId: string
  orgId: string
  key: string
  name: string
  url: string
  events: EventName[]
  enabled: boolean
  disabledAt: Date | null
  disableReason: string | null
  consecutiveFailures: number
  version: number
  secretId: string
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", org_id as "orgId", key, name, url, events, enabled,
  disabled_at as "disabledAt", disable_reason as "disableReason", consecutive_failures as "consecutiveFailures",
  version, secret_id as "secretId", created_at as "createdAt", updated_at as "updatedAt"`

export const webhookQueries = nounQueries<Webhook>('webhooks', columns)

/** Webhooks stop working when their project is deleted. */
const isOfOrganization = (table: 'webhooks' | 'destinations') => sql`exists (
  select from projects
  where projects.id = ${sql.ref(`${table}.project_id`)} and projects.org_id = ${sql.ref(`${table}.org_id`)})`

export async function lockWebhooks(tx: Tx, webhookIds: readonly string[]): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks where id = any(${[...webhookIds]}::uuid[]) and ${isOfOrganization('webhooks')}
    order by id for no key update`.execute(tx)
  return rows
}

/** Locks the organization, so that concurrent creations cannot exceed its limit. */
export async function lockWebhookCount(tx: Tx, orgId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${orgId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from webhooks where org_id = ${orgId} and ${isOfOrganization('webhooks')}`.execute(
    tx,
  )
  return rows[0]!.count
}

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await sql`
    insert into webhooks (id, org_id, project_id, key, name, url, events, secret_id, created_at, updated_at)
    values (${webhook.id}, ${webhook.orgId}, ${webhook.projectId}, ${webhook.key}, ${webhook.name},
      ${webhook.url}, ${webhook.events}::text[], ${webhook.secretId}, ${webhook.createdAt}, ${webhook.updatedAt})`.execute(
    tx,
  )
}

export async function saveWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await sql`
    update webhooks set name = ${webhook.name}, url = ${webhook.url}, events = ${webhook.events}::text[],
      enabled = ${webhook.enabled}, disabled_at = ${webhook.disabledAt}, disable_reason = ${webhook.disableReason},
      consecutive_failures = ${webhook.consecutiveFailures}, version = ${webhook.version},
      secret_id = ${webhook.secretId}, updated_at = ${webhook.updatedAt}
    where id = ${webhook.id}`.execute(tx)
}

export async function insertSecret(
  tx: Tx,
  row: { id: string; webhookId: string; sealed: Buffer },
  now: Date,
): Promise<void> {
  await sql`
    insert into destination_secrets (id, destination_id, sealed, created_at)
    values (${row.id}, ${row.webhookId}, ${row.sealed}, ${now})`.execute(tx)
}

/** How many secrets are encrypted with the secret key. */
export async function countSealedSecrets(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from destination_secrets`.execute(db)
  return rows[0]!.count
}

/** Disables every webhook: nothing is sent for them, neither new deliveries nor pending ones. Returns how many. */
export async function disableAllWebhooks(tx: Tx, reason: string, now: Date): Promise<number> {
  const { rows } = await sql`
    update destinations set enabled = false, disabled_at = ${now}, disable_reason = ${reason} where enabled
    returning id`.execute(tx)
  return rows.length
}

/** The newest secrets of webhooks, encrypted. */
export async function sealedSecrets(db: Db, limit: number): Promise<{ id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    select id, sealed from destination_secrets order by id desc limit ${limit}`.execute(db)
  return rows
}

export interface Subscription {
  webhookId: string
  /** The project of the webhook. */
  projectId: string
  /** The project of the events. */
  eventProject: PayloadProject
  events: EventName[]
  secretId: string
  filter: NotificationFilter | null
}

/** The enabled webhooks of an organization that subscribe to one of these events, in any of its projects. */
export async function subscriptions(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId: string },
  names: readonly EventName[],
): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select webhooks.id as "webhookId", webhooks.project_id as "projectId", webhooks.events,
      webhooks.secret_id as "secretId", organizations.notification_filter as filter,
      jsonb_build_object('id', projects.id, 'shortId', projects.short_id, 'name', projects.name) as "eventProject"
    from webhooks join organizations on organizations.id = webhooks.org_id, projects
    where webhooks.org_id = ${orgId} and webhooks.enabled and webhooks.events && ${[...names]}::text[]
      and ${isOfOrganization('webhooks')} and projects.id = ${projectId}`.execute(tx)
  return rows
}

export async function projectOf(tx: Tx, projectId: string): Promise<PayloadProject> {
  const { rows } = await sql<PayloadProject>`
    select id, short_id as "shortId", name from projects where id = ${projectId}`.execute(tx)
  return rows[0]!
}

export interface NewDelivery {
  id: string
  webhookId: string
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
      select id, "webhookId", "deliveryId", "eventId", "eventType", "sourceEntityId", "isTest", "secretId", body,
        attempts, "dueAt", null, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id uuid, "webhookId" uuid, "deliveryId" uuid,
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

export async function findDelivery(db: Db, webhookId: string, recordId: string): Promise<Delivery | undefined> {
  if (!isId(recordId)) return undefined
  const { rows } = await sql<Delivery>`
    select ${deliveryColumns} from deliveries where id = ${recordId} and destination_id = ${webhookId}`.execute(db)
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
  webhookId: string,
  { status = null, eventType = null, since, until = null }: DeliveryFilters,
  after: string | null,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select ${deliveryColumns} from deliveries
    where destination_id = ${webhookId} and created_at >= ${since} and (${after}::uuid is null or id < ${after}::uuid)
      and (${until}::timestamptz is null or created_at < ${until}::timestamptz)
      and (${status}::text is null or status = ${status}::text)
      and (${eventType}::text is null or event_type = ${eventType}::text)
    order by id desc limit ${limit}`.execute(db)
  return rows
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
  secretId: string
}

export const maxReplayed = 10_000

/** Starts new cycles for deliveries that ended, from a time range, oldest first. Returns how many. */
export async function restartDeliveries(tx: Tx, webhookId: string, range: RestartRange, now: Date): Promise<number> {
  const { rows } = await sql`
    update deliveries set status = 'PENDING', attempts = 0, due_at = ${now}, next_retry_at = ${now},
      secret_id = ${range.secretId}
    where id in (
      select id from deliveries
      where destination_id = ${webhookId} and not is_test and status = any(${[...range.statuses]}::text[])
        and created_at >= ${range.since} and created_at < ${range.until}
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
    select deliveries.id, due_at as "leaseUntil", deliveries.destination_id as "webhookId", delivery_id as "deliveryId",
      event_type as "eventType", is_test as "isTest", attempts, claims as fence, body, destinations.url,
      deliveries.secret_id as "secretId",
      destination_secrets.sealed as "sealedSecret"
    from deliveries join destinations on destinations.id = deliveries.destination_id
    join destination_secrets on destination_secrets.id = deliveries.secret_id
    where deliveries.id = ${recordId}`.execute(db)
  return rows[0]
}

/**
 * Claims due rows under a lease. Each webhook with due rows gets an equal share, so that a long queue does not delay
 * other webhooks. If there are more webhooks than rows to claim, they take turns. Webhooks without pending rows cost
 * nothing, because the index scan skips from the first row of one webhook to the next. Rows that a different worker is
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
          select from destinations where destinations.id = pending.destination_id and destinations.enabled and ${isOfOrganization('destinations')})
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
    select taken.id, taken.destination_id as "webhookId", taken.delivery_id as "deliveryId",
      taken.event_type as "eventType", taken.is_test as "isTest", taken.attempts, taken.claims as fence, taken.body,
      destinations.url, taken.secret_id as "secretId", destination_secrets.sealed as "sealedSecret", shares.share
    from shares ${commit}, taken join destinations on destinations.id = taken.destination_id
    join destination_secrets on destination_secrets.id = taken.secret_id
    order by taken.id`.execute(db)
  return { jobs: rows.map((row) => Object.assign(row, { leaseUntil })), share: rows[0]?.share ?? total }
}

const rowsOf = (settlements: readonly Settlement[]) => sql`
  jsonb_to_recordset(${JSON.stringify(settlements)}::jsonb) as row (id uuid, fence integer, status text,
    attempts integer, "dueAt" timestamptz, "lastAttemptAt" timestamptz, "responseStatus" integer,
    "responseBody" text, "errorMessage" text)`

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
 * The same for results that do not change their webhooks: successes if no failure is counted, and failures that will be
 * retried. It neither locks webhooks nor waits for such locks, for example of a deletion. The rows that it skips are
 * settled in a transaction.
 */
export async function settleUneventful(db: Db, settlements: readonly Settlement[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with row as (select * from ${rowsOf(settlements)}),
    uneventful as materialized (
      select deliveries.id
      from row join deliveries on deliveries.id = row.id join destinations on destinations.id = deliveries.destination_id
      where deliveries.claims = row.fence and deliveries.status = 'PENDING'
        and (row.status = 'PENDING' or deliveries.is_test or destinations.consecutive_failures = 0)
      for update of deliveries skip locked
    )
    update deliveries set ${settled} from row join uneventful on uneventful.id = row.id
    where deliveries.id = row.id
    returning deliveries.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The span of the change that a delivery tells. Null if it was not traced, and for a test ping. */
export async function traceParentOf(db: Db, recordId: string): Promise<string | null> {
  const { rows } = await sql<{ traceParent: string | null }>`
    select events.trace_parent as "traceParent" from deliveries join events on events.id = deliveries.event_id
    where deliveries.id = ${recordId}`.execute(db)
  return rows[0]?.traceParent ?? null
}

/** Returns claimed jobs that were not started, as if they had never been claimed. */
export async function releaseJobs(db: Db, jobs: readonly Job[], now: Date): Promise<void> {
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

/**
 * Deletes secrets that no delivery refers to and that were rotated out before the oldest kept delivery. Returns how
 * many.
 */
export async function deleteOldSecrets(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from destination_secrets where id in (
      select old.id
      from destination_secrets as old join destinations on destinations.id = old.destination_id
      where old.id <> destinations.secret_id
        and exists (
          select from destination_secrets as newer
          where newer.destination_id = old.destination_id and newer.id > old.id and newer.created_at < ${before}
        )
        and not exists (select from deliveries where destination_id = old.destination_id and secret_id = old.id)
      limit ${limit}
    ) returning id`.execute(db)
  return rows.length
}
