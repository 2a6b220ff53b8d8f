import { sql } from 'kysely'
import type { Db, Tx } from '../db/index.ts'
import type { Job } from './job.ts'
import { isOpen } from './queries.ts'
import { lateAfterMs, type Schedule } from './schedule.ts'

/** A source whose jobs run by themselves. */
export interface ScheduledSource extends Pick<Job, 'projectId' | 'projectName' | 'kind' | 'source'> {
  orgId: string
}

export interface JobSchedule extends ScheduledSource {
  schedule: Schedule
  /** The slot that has no job yet. */
  nextAt: Date
  scheduledAt: Date
  succeededAt: Date | null
  /** What was told and is not over. */
  incident: string | null
}

const columns = sql`job_schedules.project_id as "projectId", projects.org_id as "orgId", projects.name as "projectName",
  kind, jsonb_build_object('id', source_id, 'name', source_name) as source, schedule, next_at as "nextAt",
  scheduled_at as "scheduledAt", succeeded_at as "succeededAt", incident`

const hasOpenJob = sql<boolean>`exists (select from jobs where jobs.source_id = job_schedules.source_id and ${isOpen})`

const ofProject = sql`projects.id = job_schedules.project_id and projects.org_id is not null`

/** Locks the schedule of a source. A transaction does this before it locks a job of the source. */
export async function lockSchedule(tx: Tx, sourceId: string): Promise<Schedule | undefined> {
  const { rows } = await sql<{ schedule: Schedule }>`
    select schedule from job_schedules where source_id = ${sourceId} for no key update`.execute(tx)
  return rows[0]?.schedule
}

export interface SavedSchedule {
  sourceId: string
  projectId: string
  kind: string
  name: string
  schedule: Schedule
  nextAt: Date
  overdueAt: Date
  now: Date
}

/** Of a source that has a schedule, this writes a different one. What was told stays until the next success. */
export async function saveSchedule(tx: Tx, saved: SavedSchedule): Promise<void> {
  const { sourceId, projectId, kind, name, schedule, nextAt, overdueAt, now } = saved
  await sql`
    insert into job_schedules (source_id, project_id, kind, source_name, schedule, scheduled_at, next_at, overdue_at)
    values (${sourceId}, ${projectId}, ${kind}, ${name}, ${JSON.stringify(schedule)}::jsonb, ${now}, ${nextAt}, ${overdueAt})
    on conflict (source_id) do update set kind = excluded.kind, source_name = excluded.source_name,
      schedule = excluded.schedule, next_at = excluded.next_at, overdue_at = excluded.overdue_at`.execute(tx)
}

/** Writes what does not move the slots. */
export async function renameScheduled(
  tx: Tx,
  { sourceId, kind, name }: Pick<SavedSchedule, 'sourceId' | 'kind' | 'name'>,
): Promise<void> {
  await sql`
    update job_schedules set kind = ${kind}, source_name = ${name} where source_id = ${sourceId}`.execute(tx)
}

/** For the end of a source, and for one that runs only when it is asked to. */
export async function removeSchedule(tx: Tx, sourceId: string): Promise<void> {
  await sql`delete from job_schedules where source_id = ${sourceId}`.execute(tx)
}

export async function saveSuccess(tx: Tx, sourceId: string, now: Date, overdueAt: Date): Promise<void> {
  await sql`
    update job_schedules set succeeded_at = ${now}, overdue_at = ${overdueAt}, incident = null, incident_at = null
    where source_id = ${sourceId}`.execute(tx)
}

const isDue = (kinds: readonly string[], now: Date) => sql`next_at <= ${now} and kind = any(${[...kinds]}::text[])`

/** The sources of these kinds with a slot that has come, the oldest slot first. */
export async function listDue(db: Db, kinds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select source_id as id from job_schedules join projects on ${ofProject}
    where ${isDue(kinds, now)} order by next_at`.execute(db)
  return rows.map(({ id }) => id)
}

/** One of them, locked, unless its slot has a job by now or another node has it. */
export async function lockDue(
  tx: Tx,
  sourceId: string,
  kinds: readonly string[],
  now: Date,
): Promise<(JobSchedule & { hasOpenJob: boolean }) | undefined> {
  const { rows } = await sql<JobSchedule & { hasOpenJob: boolean }>`
    select ${columns}, ${hasOpenJob} as "hasOpenJob" from job_schedules join projects on ${ofProject}
    where source_id = ${sourceId} and ${isDue(kinds, now)}
    for no key update of job_schedules skip locked`.execute(tx)
  return rows[0]
}

export async function saveNext(tx: Tx, sourceId: string, nextAt: Date): Promise<void> {
  await sql`update job_schedules set next_at = ${nextAt} where source_id = ${sourceId}`.execute(tx)
}

/** A job under way has its own reports. */
const isMissed = (kinds: readonly string[], now: Date) => sql`incident is null and kind = any(${[...kinds]}::text[])
  and (next_at < ${new Date(now.getTime() - lateAfterMs)} or overdue_at <= ${now}) and not ${hasOpenJob}`

/** The sources of these kinds whose schedule was not kept, and of which that was not told. */
export async function listMissed(db: Db, kinds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select source_id as id from job_schedules join projects on ${ofProject}
    where ${isMissed(kinds, now)} order by next_at`.execute(db)
  return rows.map(({ id }) => id)
}

/** One of them, locked, unless another node has it. */
export async function lockMissed(
  tx: Tx,
  sourceId: string,
  kinds: readonly string[],
  now: Date,
): Promise<JobSchedule | undefined> {
  const { rows } = await sql<JobSchedule>`
    select ${columns} from job_schedules join projects on ${ofProject}
    where source_id = ${sourceId} and ${isMissed(kinds, now)}
    for no key update of job_schedules skip locked`.execute(tx)
  return rows[0]
}

export async function saveMissed(tx: Tx, sourceId: string, incident: string, now: Date): Promise<void> {
  await sql`
    update job_schedules set incident = ${incident}, incident_at = ${now} where source_id = ${sourceId}`.execute(tx)
}
