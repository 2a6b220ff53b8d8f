import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { type Claim, dueRows } from '../../../../platform/due-rows.ts'
import { isShown } from '../../../model/flag-environments/index.ts'
import { type Place, placeOf, type Schedule, type ScheduleTarget } from './schedule.ts'

const columns = sql`id, flag_id as "flagId",
  not exists (select from flags where flags.id = flag_id and ${isShown}) as "isHidden", env_id as "envId", rule_id as "ruleId", action, run_at as "runAt", timezone,
  note, status, failure_reason as "failureReason", created_at as "createdAt", updated_at as "updatedAt"`

const ofTarget = ({ flagId, envId, ruleId }: ScheduleTarget) =>
  sql`flag_id = ${flagId} and env_id = ${envId} and rule_id is not distinct from ${ruleId}::uuid`

const isOpen = sql`schedules.status in ('PENDING', 'SUSPENDED')`

/** The open schedule of a switch, or else the one that ended last. */
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

/** Whether a row `fe` of `flag_environments` or one of its rules has an open schedule. */
export const hasOpenSchedule = sql<boolean>`exists (
  select from schedules where schedules.flag_id = fe.flag_id and schedules.env_id = fe.env_id and ${isOpen})`

/** The open schedules of flags and their rules in one environment. */
export async function openSchedulesIn(tx: Tx, flagIds: readonly string[], envId: string): Promise<Schedule[]> {
  const { rows } = await sql<Schedule>`
    select ${columns} from schedules
    where flag_id = any(${[...flagIds]}::uuid[]) and env_id = ${envId} and ${isOpen}`.execute(tx)
  return rows
}

/** A schedule with the names of what it switches, and the author of its last change. */
export interface ListedSchedule extends Schedule {
  /** Null for a web experiment. */
  flag: { id: string; shortId: number; key: string; name: string } | null
  environment: { id: string; key: string; name: string }
  rule: { id: string; name: string } | null
  /** The owner of the rule. */
  experiment: { id: string; shortId: number; name: string } | null
  by: { type: string; id: string | null; name: string } | null
}

/**
 * The open schedules of a project, and those that failed since `failedSince` and were not replaced: first what needs
 * attention, then what comes next.
 */
export async function listSchedules(
  db: Db,
  {
    orgId,
    projectId,
    flagId,
    failedSince,
  }: { orgId: string; projectId: string; flagId?: string | undefined; failedSince: Date },
  after: Place | null,
  limit: number,
): Promise<(ListedSchedule & { place: string })[]> {
  const ofFlag = flagId === undefined ? sql`` : sql`and flags.id::text = ${flagId} and ${isShown}`
  const isAfter = after
    ? sql`and (schedules.status = 'PENDING', run_at, schedules.id) > (${after.isPending}, ${after.runAt}, ${after.id}::uuid)`
    : sql``
  const { rows } = await sql<ListedSchedule>`
    select ${columns}, flag, environment, rule, experiment, "by" from (
      select schedules.*,
        case when ${isShown} then
          json_build_object('id', flags.id, 'shortId', flags.short_id, 'key', flags.key, 'name', flags.name)
        end as flag,
        json_build_object('id', env.id, 'key', env.key, 'name', env.name) as environment,
        case when schedules.rule_id is not null then json_build_object('id', schedules.rule_id, 'name', coalesce((
          select rule ->> 'name'
          from flag_environments fe, jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
          where fe.flag_id = schedules.flag_id and fe.env_id = schedules.env_id and rule ->> 'id' = schedules.rule_id::text limit 1
        ), '')) end as rule,
        case when experiments.id is not null then json_build_object('id', experiments.id,
          'shortId', experiments.short_id, 'name', experiments.name) end as experiment, (
          select json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) from audit_entries
          where org_id = ${orgId} and object_id in (schedules.flag_id, experiments.id) and action in (
              'flag.schedule', 'flag.suspend_schedule', 'flag.fail_schedule',
              'experiment.schedule', 'experiment.suspend_schedule', 'experiment.fail_schedule')
            and after ->> 'id' = schedules.id::text
          order by seq desc limit 1) as "by"
      from schedules join flags on flags.id = schedules.flag_id join environments env on env.id = schedules.env_id
        left join experiments on experiments.rule_id = schedules.rule_id
      where flags.project_id = ${projectId} and (${isOpen} or schedules.status = 'FAILED'
        and schedules.updated_at > ${failedSince} and not exists (
          select from schedules later where later.flag_id = schedules.flag_id and later.env_id = schedules.env_id
            and later.rule_id is not distinct from schedules.rule_id and later.id > schedules.id))
        ${ofFlag} ${isAfter}
      order by schedules.status = 'PENDING', run_at, schedules.id limit ${limit}
    ) listed order by status = 'PENDING', run_at, id`.execute(db)
  return rows.map((row) => ({ ...row, place: placeOf(row) }))
}

export type DueSchedule = ScheduleTarget & { id: string; orgId: string; projectId: string }

const projectOf = (column: 'id' | 'org_id') => sql`(
  select projects.${sql.ref(column)} from flags join projects on projects.id = flags.project_id
  where flags.id = schedules.flag_id)`

const dueSchedules = dueRows<Omit<DueSchedule, 'id'>>({
  table: 'schedules',
  key: 'id',
  dueAt: 'retry_at',
  isDueFrom: sql`coalesce(retry_at, run_at)`,
  columns: sql`flag_id as "flagId", env_id as "envId", rule_id as "ruleId", ${projectOf('id')} as "projectId",
    ${projectOf('org_id')} as "orgId"`,
  backoff: { firstMs: 1_000, mostMs: 60_000 },
})

/** The pending schedule that has been due for the longest, of a project that was not deleted. */
export const claimSchedule = (
  db: Db,
  claiming: { now: Date; until: Date },
): Promise<(DueSchedule & Claim) | undefined> =>
  dueSchedules.claim(db, {
    ...claiming,
    where: sql`status = 'PENDING' and run_at <= ${claiming.now} and ${projectOf('org_id')} is not null`,
  })

/** A schedule that could not be carried out is tried again later, so that it does not hold up the others. */
export const { fail: postponeSchedule } = dueSchedules

export async function insertSchedule(tx: Tx, schedule: Schedule): Promise<void> {
  const { id, flagId, envId, ruleId, action, runAt, timezone, note, status, createdAt, updatedAt } = schedule
  await sql`
    insert into schedules (id, flag_id, env_id, rule_id, action, run_at, timezone, note, status, created_at, updated_at)
    values (${id}, ${flagId}, ${envId}, ${ruleId}, ${action}, ${runAt}, ${timezone}, ${note}, ${status}, ${createdAt},
      ${updatedAt})`.execute(tx)
}

export async function saveEndings(
  tx: Tx,
  endings: readonly Pick<Schedule, 'id' | 'status' | 'failureReason' | 'updatedAt'>[],
): Promise<void> {
  await sql`
    update schedules set status = ending.status, failure_reason = ending."failureReason",
      updated_at = ending."updatedAt"
    from jsonb_to_recordset(${JSON.stringify(endings)}::jsonb)
      as ending (id uuid, status text, "failureReason" text, "updatedAt" timestamptz)
    where schedules.id = any(${endings.map(({ id }) => id)}::uuid[]) and schedules.id = ending.id`.execute(tx)
}

/** Cancels every open schedule. Returns how many. */
export async function cancelAllSchedules(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql`
    update schedules set status = 'CANCELLED', updated_at = ${now} where ${isOpen} returning id`.execute(tx)
  return rows.length
}
