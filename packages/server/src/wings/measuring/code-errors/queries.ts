import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { experimentStatus } from '../../model/experiments/index.ts'
import {
  type ErrorNote,
  maxErrorsPerExperiment,
  maxEventsPerError,
  maxVisitorsPerError,
  visitorsToReport,
} from './error.ts'

/**
 * Locks the experiment that owns a rule against its deletion, and the others who write its errors: so limits hold on all
 * nodes together.
 */
export async function lockExperiment(
  tx: Tx,
  ruleId: string,
): Promise<{ experimentId: string; projectId: string } | undefined> {
  const { rows } = await sql<{ experimentId: string; projectId: string }>`
    select id as "experimentId", project_id as "projectId" from experiments where rule_id = ${ruleId} for key share`.execute(
    tx,
  )
  if (rows[0])
    await sql`select pg_advisory_xact_lock(hashtextextended(${`code errors ${rows[0].experimentId}`}, 0))`.execute(tx)
  return rows[0]
}

/**
 * Enters an error if it is new and there is room, and counts its events that were not counted before. Returns its id;
 * undefined if there is no room.
 */
export async function addError(
  tx: Tx,
  { experimentId, projectId }: { experimentId: string; projectId: string },
  note: ErrorNote,
  now: Date,
): Promise<string | undefined> {
  const { variationId, variationKey, codeVersion, line, fingerprint, message, excerpt, events, visitors } = note
  await sql`
    insert into code_errors (id, project_id, experiment_id, variation_id, variation_key, code_version, line, fingerprint,
      message, excerpt, first_seen_at, last_seen_at)
    select ${newId()}::uuid, ${projectId}::uuid, ${experimentId}::uuid, ${variationId}::uuid, ${variationKey},
      ${codeVersion}, ${line}::integer, ${fingerprint}, ${message}, ${excerpt}, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from code_errors where experiment_id = ${experimentId}) < ${maxErrorsPerExperiment}
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    with error as (
      select id, visitors from code_errors where experiment_id = ${experimentId} and fingerprint = ${fingerprint}
    ), met as (
      select error.id as error_id, decode(told.hash, 'hex') as unit_hash, known.error_id is not null as is_known,
        error.visitors, row_number() over (partition by known.error_id is null order by told.hash) as place
      from error cross join unnest(${[...visitors]}::text[]) told (hash)
        left join code_error_visitors known on known.error_id = error.id and known.unit_hash = decode(told.hash, 'hex')
    ), added as (
      insert into code_error_visitors (error_id, unit_hash, seen_at)
      select error_id, unit_hash, ${now}::timestamptz from met
      where is_known or visitors + place <= ${maxVisitorsPerError}
      on conflict (error_id, unit_hash) do update set seen_at = excluded.seen_at
    ), counted as (
      insert into code_error_events (error_id, event_id, seen_at)
      select error.id, told.event, ${now}::timestamptz from error cross join unnest(${[...events]}::uuid[]) told (event)
      on conflict do nothing returning 1
    )
    update code_errors set count = count + (select count(*) from counted), last_seen_at = greatest(last_seen_at, ${now}::timestamptz),
      visitors = least(${maxVisitorsPerError}::integer,
        code_errors.visitors + (select count(*) from met where not is_known)::integer)
    from error where code_errors.id = error.id returning code_errors.id`.execute(tx)
  const id = rows[0]?.id
  if (id !== undefined) await keepNewestEvents(tx, id)
  return id
}

async function keepNewestEvents(tx: Tx, id: string): Promise<void> {
  await sql`
    delete from code_error_events where error_id = ${id} and event_id in (
      select event_id from code_error_events where error_id = ${id}
      order by seen_at desc, event_id offset ${maxEventsPerError})`.execute(tx)
}

/** An error that can be about to be reported, or to pause its experiment. */
export interface DueError {
  id: string
  orgId: string
  projectId: string
  flagId: string
  envId: string
  envName: string
  ruleId: string
  variationId: string
  variationKey: string
  line: number | null
  message: string
  visitors: number
  firstSeenAt: Date
  /** Visitors of the last 24 hours. */
  recent: number
  isReported: boolean
  /** Whether enough visitors would pause the experiment. */
  mayPause: boolean
}

/** Whether visitors get the code that threw, for statements that read `code_errors error` and `experiments`. */
export const isServedCode: RawBuilder<boolean> = sql`exists (
  select from flag_environments fe where fe.flag_id = experiments.flag_id and fe.env_id = experiments.env_id
    and error.code_version = left(encode(sha256(convert_to(
      fe.live #>> array['web', 'variations', error.variation_id::text, 'js'], 'UTF8')), 'hex'), 8))`

const dayAgo = (now: Date) => new Date(now.getTime() - 86_400_000)

/** The errors of the last day that were not reported, or that can pause their experiment; only some of them, if they are named. */
export async function dueErrors(db: Db, now: Date, ids?: readonly string[]): Promise<DueError[]> {
  // Whoever resumes an experiment knows what was met before its pause, and visitors do not get a code that was replaced.
  const mayPause: RawBuilder<boolean> = sql`(
    coalesce((experiments.auto_pause ->> 'codeErrors')::boolean, false) and ${experimentStatus} = 'RUNNING'
    and not exists (
      select from code_errors told where told.experiment_id = error.experiment_id and told.paused_at >= error.first_seen_at)
    and ${isServedCode})`
  const { rows } = await sql<DueError>`
    select error.id, projects.org_id as "orgId", error.project_id as "projectId", experiments.flag_id as "flagId",
      experiments.env_id as "envId", environments.name as "envName", experiments.rule_id as "ruleId",
      error.variation_id as "variationId", error.variation_key as "variationKey", error.line, error.message,
      error.visitors, error.first_seen_at as "firstSeenAt", recent.count::integer as recent,
      error.reported_at is not null as "isReported", ${mayPause} as "mayPause"
    from code_errors error
      join experiments on experiments.id = error.experiment_id
      join projects on projects.id = error.project_id and projects.org_id is not null
      join environments on environments.id = experiments.env_id
      cross join lateral (
        select count(*) from code_error_visitors visitor
        where visitor.error_id = error.id and visitor.seen_at > ${dayAgo(now)}) recent
    where error.last_seen_at > ${dayAgo(now)} and ${ids ? sql`error.id = any(${[...ids]}::uuid[])` : sql`true`}
      and error.visitors >= ${visitorsToReport} and (error.reported_at is null or ${mayPause})
    order by error.id`.execute(db)
  return rows
}

/** Notes what was told of an error. False if a different node was first. */
export async function noteTold(
  tx: Tx,
  id: string,
  { reported, paused }: { reported: boolean; paused: boolean },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update code_errors set reported_at = case when ${reported}::boolean then ${now}::timestamptz else reported_at end,
      paused_at = case when ${paused}::boolean then ${now}::timestamptz else paused_at end
    where id = ${id} and (not ${reported}::boolean or reported_at is null) and (not ${paused}::boolean or paused_at is null)
    returning 1`.execute(tx)
  return rows.length > 0
}

/** An error as people see it. */
export interface StoredError {
  id: string
  variationId: string
  variationKey: string
  codeVersion: string
  message: string
  line: number | null
  excerpt: string | null
  count: number
  visitors: number
  firstSeenAt: Date
  lastSeenAt: Date
}

/** The errors of an experiment, by how many visitors have met them. */
export async function errorsOf(db: Db, experimentId: string): Promise<StoredError[]> {
  const { rows } = await sql<StoredError>`
    select id, variation_id as "variationId", variation_key as "variationKey", code_version as "codeVersion", message,
      line, excerpt, count::float8 as count, visitors, first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"
    from code_errors where experiment_id = ${experimentId} order by visitors desc, count desc, id`.execute(db)
  return rows
}

/** Deletes who met errors. What was counted stays. */
export async function forgetVisitors(db: Db, projectId: string, hashes: readonly string[]): Promise<void> {
  await sql`
    delete from code_error_visitors using unnest(${[...hashes]}::text[]) told (hash)
    where unit_hash = decode(told.hash, 'hex')
      and error_id in (select id from code_errors where project_id = ${projectId})`.execute(db)
}

/** Forgets from which events errors were counted before this moment. Returns how many. */
export async function deleteOldEvents(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from code_error_events where (error_id, event_id) in (
      select error_id, event_id from code_error_events where seen_at < ${before}
      limit ${limit} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}

/** Deletes who met errors before this moment. Returns how many. */
export async function deleteOldVisitors(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from code_error_visitors where (error_id, unit_hash) in (
      select error_id, unit_hash from code_error_visitors where seen_at < ${before}
      limit ${limit} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}

/** Deletes errors that nobody has met since this moment. Returns how many. */
export async function deleteOldErrors(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from code_errors where id in (
      select id from code_errors where last_seen_at < ${before}
        and not exists (select from code_error_visitors where error_id = code_errors.id)
      limit ${limit} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}
