import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Schedule, ScheduleStatus, ScheduleTarget } from './schedule.ts'

const columns = sql`id, flag_id as "flagId", env_id as "envId", rule_id as "ruleId", action, run_at as "runAt", timezone,
  note, status, failure_reason as "failureReason", created_at as "createdAt", updated_at as "updatedAt"`

const ofTarget = ({ flagId, envId, ruleId }: ScheduleTarget) =>
  sql`flag_id = ${flagId} and env_id = ${envId} and rule_id is not distinct from ${ruleId}::uuid`

const isOpen = sql`status in ('PENDING', 'SUSPENDED')`

/** The open schedule of a switch, else the one that ended last. */
export async function latestSchedule(db: Db, target: ScheduleTarget): Promise<Schedule | undefined> {
  const { rows } = await sql<Schedule>`
    select ${columns} from schedules where ${ofTarget(target)}
    order by ${isOpen} desc, updated_at desc, id desc limit 1`.execute(db)
  return rows[0]
}

export async function openSchedule(db: Db, target: ScheduleTarget): Promise<Schedule | undefined> {
  const { rows } = await sql<Schedule>`
    select ${columns} from schedules where ${ofTarget(target)} and ${isOpen}`.execute(db)
  return rows[0]
}

export async function findSchedule(db: Db, id: string): Promise<Schedule | undefined> {
  const { rows } = await sql<Schedule>`select ${columns} from schedules where id = ${id}`.execute(db)
  return rows[0]
}

/** The runs that wait in an environment of a flag: its own and those of its rules, or of one rule alone. */
export async function pendingRuns(tx: Tx, { flagId, envId, ruleId }: ScheduleTarget): Promise<Schedule[]> {
  const { rows } = await sql<Schedule>`
    select ${columns} from schedules
    where flag_id = ${flagId} and env_id = ${envId} and (${ruleId}::uuid is null or rule_id = ${ruleId}::uuid)
      and status = 'PENDING' and action = 'RUN'
    order by run_at, id`.execute(tx)
  return rows
}

export type DueSchedule = ScheduleTarget & { id: string; projectId: string }

export async function dueSchedules(db: Db, now: Date, limit: number): Promise<DueSchedule[]> {
  const { rows } = await sql<DueSchedule>`
    select schedules.id, flag_id as "flagId", env_id as "envId", rule_id as "ruleId", flags.project_id as "projectId"
    from schedules join flags on flags.id = flag_id
    where schedules.status = 'PENDING' and run_at <= ${now}
    order by run_at, schedules.id limit ${limit}`.execute(db)
  return rows
}

export async function insertSchedule(tx: Tx, schedule: Schedule): Promise<void> {
  const { id, flagId, envId, ruleId, action, runAt, timezone, note, status, createdAt, updatedAt } = schedule
  await sql`
    insert into schedules (id, flag_id, env_id, rule_id, action, run_at, timezone, note, status, created_at, updated_at)
    values (${id}, ${flagId}, ${envId}, ${ruleId}, ${action}, ${runAt}, ${timezone}, ${note}, ${status}, ${createdAt},
      ${updatedAt})`.execute(tx)
}

export async function saveStatus(
  tx: Tx,
  id: string,
  status: ScheduleStatus,
  failureReason: string | null,
  now: Date,
): Promise<void> {
  await sql`
    update schedules set status = ${status}, failure_reason = ${failureReason}, updated_at = ${now}
    where id = ${id}`.execute(tx)
}
