import { type RawBuilder, sql } from 'kysely'
import type { JobStatus } from '../../catalogue/jobs.ts'
import type { Db, Tx } from '../db/index.ts'
import { type Claim, dueRows } from '../due-rows.ts'
import { newId } from '../ids.ts'
import type { Ending, Job, OwnedJob, Progress, Watched } from './job.ts'

const ofProject = (column: 'org_id' | 'name') =>
  sql`(select ${sql.ref(`projects.${column}`)} from projects where projects.id = jobs.project_id)`

const columns = sql`project_id as "projectId", ${ofProject('org_id')} as "orgId", ${ofProject('name')} as "projectName",
  kind, jsonb_build_object('id', source_id, 'name', source_name) as source, status, trigger, attempt, failures,
  due_at as "dueAt", started_at as "startedAt", ended_at as "endedAt", progress, input, result, reason,
  items_skipped as "itemsSkipped", applies_job_id as "appliesJobId", retries_job_id as "retriesJobId",
  cancel_asked as "cancelAsked", created_at as "createdAt", updated_at as "updatedAt"`

/** A claim takes only jobs of projects that are there. One that is deleted later keeps its organization here. */
export type ClaimedJob = OwnedJob & Claim

/** Jobs have a ladder of delays of their own, so the backoff is not used. */
export const dueJobs = dueRows<Omit<Job, 'id'>>({
  table: 'jobs',
  key: 'id',
  dueAt: 'due_at',
  columns,
  backoff: { firstMs: 60_000, mostMs: 3_600_000 },
})

const hasOwner = sql`${ofProject('org_id')} is not null`

export const isOpen = sql`jobs.status in ('QUEUED', 'RUNNING')`

/** A different job of the same source and kind is under way. */
const isBehind = sql`jobs.queues and exists (
  select from jobs other where other.source_id = jobs.source_id and other.kind = jobs.kind
    and other.status = 'RUNNING' and other.id <> jobs.id)`

/** The job of these kinds that has been due for the longest, with its attempt counted. */
export const claimJob = (
  db: Db,
  kinds: readonly string[],
  { now, until }: { now: Date; until: Date },
): Promise<ClaimedJob | undefined> =>
  dueJobs.claim(db, {
    ...{ now, until },
    where: sql`${isOpen} and kind = any(${[...kinds]}::text[]) and ${hasOwner} and not (${isBehind})`,
    set: begun(now),
  }) as Promise<ClaimedJob | undefined>

interface NewJob
  extends Pick<Job, 'id' | 'projectId' | 'kind' | 'source' | 'trigger' | 'input' | 'retriesJobId' | 'dueAt'> {
  queues: boolean
  appliesJobId?: string | null | undefined
}

export async function insertJob(tx: Tx, job: NewJob): Promise<void> {
  await insertion(job).execute(tx)
}

/** Returns false if the source has an open job by now: then nothing has changed. */
export async function insertJobUnlessOpen(tx: Tx, job: NewJob): Promise<boolean> {
  const { rows } = await sql`
    ${insertion(job)} on conflict (source_id) where status in ('QUEUED', 'RUNNING') and not queues do nothing
    returning 1`.execute(tx)
  return rows.length > 0
}

const insertion = ({ retriesJobId, appliesJobId = null, ...job }: NewJob) => {
  const { id, projectId, kind, source, queues, trigger, input, dueAt } = job
  return sql`
    insert into jobs (id, project_id, kind, source_id, source_name, queues, status, trigger, due_at, input,
      retries_job_id, applies_job_id, created_at, updated_at)
    values (${id}, ${projectId}, ${kind}, ${source.id}, ${source.name}, ${queues}, 'QUEUED', ${trigger}, ${dueAt},
      ${JSON.stringify(input)}::jsonb, ${retriesJobId}, ${appliesJobId}, ${dueAt}, ${dueAt})`
}

export interface Queued {
  /** Of its kind. */
  ofSource: number
  ofOrganization: number
  all: number
}

/** How many jobs that queue have not ended. Those of deleted projects wait for nothing. */
export async function countQueued(
  tx: Tx,
  { kind, projectId, source }: Pick<Job, 'kind' | 'projectId' | 'source'>,
): Promise<Queued> {
  const { rows } = await sql<Queued>`
    select (count(*) filter (where source_id = ${source.id} and kind = ${kind}))::integer as "ofSource",
      (count(*) filter (where project_id in (
        select each.id from projects own join projects each on each.org_id = own.org_id
        where own.id = ${projectId})))::integer as "ofOrganization",
      count(*)::integer as "all" from jobs where ${isOpen} and queues and ${hasOwner}`.execute(tx)
  return rows[0]!
}

/** Takes a job that was made in the same transaction. */
export const claimMade = (tx: Tx, id: string, { now, until }: { now: Date; until: Date }) =>
  dueJobs.claimOne(tx, id, { now, until, where: hasOwner, set: begun(now) }) as Promise<ClaimedJob | undefined>

const begun = (now: Date) => sql`status = 'RUNNING', attempt = attempt + 1, started_at = coalesce(started_at, ${now}),
  reason = null, updated_at = ${now}`

/** The open job of a source, of this kind or of any. */
export async function openJob(db: Db, sourceId: string, kind?: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select id, ${columns} from jobs
    where source_id = ${sourceId} and (${kind ?? null}::text is null or kind = ${kind ?? null}) and ${isOpen}
    order by id limit 1`.execute(db)
  return rows[0]
}

/** The result of the last job of a source that succeeded, of these kinds. */
export async function lastResult(db: Db, sourceId: string, kinds: readonly string[]): Promise<unknown> {
  const { rows } = await sql<{ result: unknown }>`
    select result from jobs where source_id = ${sourceId} and kind = any(${[...kinds]}::text[]) and status = 'SUCCEEDED'
    order by id desc limit 1`.execute(db)
  return rows[0]?.result
}

/**
 * The same for jobs that write in portions: undefined if a later one failed or was cancelled, because it can have written
 * some of them.
 */
export async function lastWholeResult(db: Db, sourceId: string, kind: string): Promise<unknown> {
  const { rows } = await sql<{ status: JobStatus; result: unknown }>`
    select status, result from jobs
    where source_id = ${sourceId} and kind = ${kind} and status in ('SUCCEEDED', 'FAILED', 'CANCELLED')
    order by id desc limit 1`.execute(db)
  return rows[0]?.status === 'SUCCEEDED' ? rows[0].result : undefined
}

interface InProject {
  orgId: string
  projectId: string
}

const inProject = ({ orgId, projectId }: InProject) => sql`project_id = ${projectId} and exists (
  select from projects where projects.id = ${projectId} and projects.org_id = ${orgId})`

export async function findJob(db: Db, of: InProject, jobId: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select id, ${columns} from jobs where id = ${jobId} and ${inProject(of)}`.execute(db)
  return rows[0]
}

export async function lockJob(tx: Tx, jobId: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`select id, ${columns} from jobs where id = ${jobId} for no key update`.execute(tx)
  return rows[0]
}

export interface JobFilter {
  /** Kinds that are left out. */
  hidden: readonly string[]
  kind?: string | undefined
  status?: JobStatus | undefined
  sourceId?: string | undefined
}

/** Newest first. */
export async function listJobs(
  db: Db,
  of: InProject,
  { hidden, kind, status, sourceId }: JobFilter,
  after: string | null,
  limit: number,
): Promise<Job[]> {
  const conditions: RawBuilder<unknown>[] = [inProject(of), sql`kind <> all(${[...hidden]}::text[])`]
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`)
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (sourceId !== undefined) conditions.push(sql`source_id = ${sourceId}`)
  if (after !== null) conditions.push(sql`id < ${after}`)
  const { rows } = await sql<Job>`
    select id, ${columns} from jobs where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** @throws nothing if the claim is lost: then it changes nothing and returns false */
export async function saveProgress(db: Db, claim: Claim, progress: Progress, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update jobs set progress = ${JSON.stringify(progress)}::jsonb, updated_at = ${now}
    where ${dueJobs.isHeldBy(claim)} returning 1`.execute(db)
  return rows.length > 0
}

/** Stores what a job has found out and needs after a crash. It is added to its input. */
export async function addToInput(tx: Tx, claim: Claim, more: object): Promise<void> {
  await sql`update jobs set input = input || ${JSON.stringify(more)}::jsonb where ${dueJobs.isHeldBy(claim)}`.execute(
    tx,
  )
}

/** Ends a job that the claim holds. Returns it as it is then, or undefined if the claim is lost. */
export async function endJob(tx: Tx, claim: Claim, ending: Ending, now: Date): Promise<Job | undefined> {
  const result = 'result' in ending ? ending.result : null
  const standing = 'standing' in ending ? ending.standing : null
  const told = ['reason' in ending ? ending.reason : null, standing].filter((text) => text !== null)
  const reason = told.join(' ') || null
  // Whoever asked for the end of a job does not want to hear that it failed.
  const isCancelled = sql`(cancel_asked and ${ending.status} = 'FAILED')`
  const itemsSkipped = ('itemsSkipped' in ending && ending.itemsSkipped) || 0
  const { rows } = await sql<Job>`
    update jobs set status = case when ${isCancelled} then 'CANCELLED' else ${ending.status} end, leased_until = null, ended_at = ${now}, updated_at = ${now},
      result = ${result === null ? null : JSON.stringify(result)}::jsonb, reason = case when ${isCancelled} then ${standing}::text else ${reason}::text end,
      items_skipped = ${itemsSkipped}, incident = null, incident_at = null,
      input = case when ${ending.status} = 'SUCCEEDED' then null else input end
    where ${dueJobs.isHeldBy(claim)} returning id, ${columns}`.execute(tx)
  return rows[0]
}

/** Gives a job back. Its attempt counts as a failed one if there is a reason. If it was cancelled, it ends at once. */
export async function requeueJob(db: Db, claim: Claim, dueAt: Date, reason: string | null, now: Date): Promise<void> {
  await sql`
    update jobs set status = 'QUEUED', leased_until = null, reason = ${reason},
      due_at = case when cancel_asked then ${now} else ${dueAt}::timestamptz end,
      failures = failures + ${reason === null ? 0 : 1}, attempt = attempt - ${reason === null ? 1 : 0},
      updated_at = ${now}
    where ${dueJobs.isHeldBy(claim)}`.execute(db)
}

/**
 * Ends a job that no node has, or asks the node that has it to stop. One whose change is made is not ended here: it is due
 * at once, and the node that takes it writes what it has done.
 */
export async function cancelJob(
  tx: Tx,
  jobId: string,
  { now, isTooLate, standing }: { now: Date; isTooLate: boolean; standing: string | null },
): Promise<Job> {
  const isQueued = sql`status = 'QUEUED' and not ${isTooLate}::boolean`
  const { rows } = await sql<Job>`
    update jobs set cancel_asked = true, updated_at = ${now}, reason = case when ${isQueued} then ${standing}::text else reason end,
      due_at = case when ${isTooLate}::boolean then ${now}::timestamptz else due_at end,
      ended_at = case when ${isQueued} then ${now}::timestamptz end,
      incident = case when ${isQueued} then null else incident end,
      incident_at = case when ${isQueued} then null else incident_at end,
      status = case when ${isQueued} then 'CANCELLED' else status end
    where id = ${jobId} returning id, ${columns}`.execute(tx)
  return rows[0]!
}

/** The input of a job that another one tries again. It is kept once. */
export async function takeInput(tx: Tx, jobId: string): Promise<unknown> {
  const { rows } = await sql<{ input: unknown }>`select input from jobs where id = ${jobId}`.execute(tx)
  await sql`update jobs set input = null where id = ${jobId}`.execute(tx)
  return rows[0]?.input
}

export interface JobError {
  id: string
  line: number | null
  itemId: string | null
  code: string
  message: string
  isWarning: boolean
}

/** What a job could not use. It is shown in this order. */
export async function addJobErrors(
  tx: Tx,
  jobId: string,
  errors: readonly Omit<JobError, 'id'>[],
  now: Date,
): Promise<void> {
  if (errors.length === 0) return
  const rows = errors.map((error) => ({ ...error, id: newId() }))
  await sql`
    insert into job_errors (id, job_id, line, item_id, code, message, is_warning, created_at)
    select id, ${jobId}::uuid, line, "itemId", code, message, "isWarning", ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found
      (id uuid, line integer, "itemId" text, code text, message text, "isWarning" boolean)`.execute(tx)
}

/** Forgets what an attempt has found that did not end. */
export async function clearJobErrors(tx: Tx, jobId: string): Promise<void> {
  await sql`delete from job_errors where job_id = ${jobId}`.execute(tx)
}

/** Whether a job has done what a held one could not. */
export async function isApplied(db: Db, { id, projectId }: Pick<Job, 'id' | 'projectId'>): Promise<boolean> {
  const { rows } = await sql`
    select from jobs where project_id = ${projectId} and applies_job_id = ${id} and status = 'SUCCEEDED' limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether a newer job of its source has succeeded. */
export async function isOutdated(db: Db, { id, source }: Pick<Job, 'id' | 'source'>): Promise<boolean> {
  const { rows } = await sql`
    select from jobs where source_id = ${source.id} and id > ${id} and status = 'SUCCEEDED' limit 1`.execute(db)
  return rows.length > 0
}

/** In the order in which they were found. */
export async function listJobErrors(db: Db, jobId: string, after: string | null, limit: number): Promise<JobError[]> {
  const { rows } = await sql<JobError>`
    select id, line, item_id as "itemId", code, message, is_warning as "isWarning" from job_errors
    where job_id = ${jobId} and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`.execute(db)
  return rows
}

const isUntold = (kinds: readonly string[], before: Date) => sql`${isOpen} and incident is null
  and kind = any(${[...kinds]}::text[]) and due_at <= ${before} and ${hasOwner}`

/** The open jobs that were not reported yet and have been due since before a moment. */
export async function listUntold(db: Db, kinds: readonly string[], before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs where ${isUntold(kinds, before)} order by due_at limit 100`.execute(db)
  return rows.map(({ id }) => id)
}

/** One of them, locked, unless it has moved since then or a worker or another node has it. */
export async function lockUntold(
  tx: Tx,
  id: string,
  kinds: readonly string[],
  before: Date,
): Promise<(OwnedJob & Watched) | undefined> {
  const { rows } = await sql<OwnedJob & Watched>`
    select id, ${columns}, leased_until as "leasedUntil", attempt - failures as "unendedClaims", ${isBehind} as "isBehind"
    from jobs where id = ${id} and ${isUntold(kinds, before)} for no key update skip locked`.execute(tx)
  return rows[0]
}

export async function saveIncident(tx: Tx, jobId: string, incident: string, now: Date): Promise<void> {
  await sql`update jobs set incident = ${incident}, incident_at = ${now} where id = ${jobId}`.execute(tx)
}

export async function sweepJobErrors(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from job_errors where id in (
      select id from job_errors where created_at < ${before} limit ${limit} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}

/** The last jobs of a source stay, without what they worked with: it can name people. */
export async function sweepJobs(db: Db, before: Date, keptOfSource: number, limit: number): Promise<number> {
  const { rows: emptied } = await sql`
    update jobs set input = null where id in (
      select id from jobs where ended_at < ${before} and input is not null limit ${limit} for update skip locked)
    returning 1`.execute(db)
  const { rows } = await sql`
    delete from jobs where id in (
      select id from jobs
      where ended_at < ${before} and id < (
        select later.id from jobs later where later.source_id = jobs.source_id and later.kind = jobs.kind
        order by later.id desc offset ${keptOfSource - 1} limit 1)
      limit ${limit} for update skip locked)
    returning 1`.execute(db)
  return Math.max(rows.length, emptied.length)
}
