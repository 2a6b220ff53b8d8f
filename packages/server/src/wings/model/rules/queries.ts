import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { webExperimentOf } from '../experiments/index.ts'
import type { FlagEnvironment, Reassignment } from '../versions/index.ts'
import { type RuleUse, useOf } from './use.ts'

/** The switch and history of a rule. Its definition is in the versions. */
export interface RuleRow {
  id: string
  flagId: string
  envId: string
  enabled: boolean
  firstServedAt: Date | null
  version: number
  /** The experiment that owns the rule. */
  experimentId: string | null
  /** Whether that experiment has ended for good. */
  hasEnded: boolean
  /** The open schedule of the rule, pending or suspended. */
  schedule: { id: string; action: 'RUN' | 'PAUSE'; runAt: string; status: 'PENDING' | 'SUSPENDED' } | null
  createdAt: Date
  updatedAt: Date
}

type FlagEnvironmentKey = Pick<FlagEnvironment, 'flagId' | 'envId'>

export async function findRuleRows(db: Db, { flagId, envId }: FlagEnvironmentKey): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select rules.id, rules.flag_id as "flagId", rules.env_id as "envId", enabled, first_served_at as "firstServedAt",
      rules.version, rules.created_at as "createdAt", rules.updated_at as "updatedAt",
      experiments.id as "experimentId", completed_at is not null as "hasEnded",
      (select jsonb_build_object('id', open.id, 'action', open.action, 'status', open.status,
          'runAt', to_char(open.run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from schedules open where open.rule_id = rules.id and open.status in ('PENDING', 'SUSPENDED')) as schedule
    from rules left join experiments on experiments.rule_id = rules.id
    where rules.flag_id = ${flagId} and rules.env_id = ${envId}`.execute(db)
  return rows
}

type NewRuleRow = Pick<RuleRow, 'id' | 'flagId' | 'envId' | 'enabled'>

export const insertRuleRows = (tx: Tx, rows: readonly NewRuleRow[], now: Date): Promise<void> =>
  insertRuleRowsFrom(tx, rows, sql`1`, now)

/**
 * Inserts deleted rules again. They start at the version of their flag, which counts every edit of its rules, so no
 * ETag from before the deletion matches.
 */
export const insertReturningRuleRows = (tx: Tx, rows: readonly NewRuleRow[], now: Date): Promise<void> =>
  insertRuleRowsFrom(tx, rows, sql`(select version from flags where flags.id = row."flagId")`, now)

async function insertRuleRowsFrom(
  tx: Tx,
  rows: readonly NewRuleRow[],
  version: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`
    insert into rules (id, flag_id, env_id, enabled, version, created_at, updated_at)
    select id, "flagId", "envId", enabled, ${version}, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (id uuid, "flagId" uuid, "envId" uuid, enabled boolean)`.execute(tx)
}

export async function touchRuleRows(tx: Tx, ruleIds: readonly string[], now: Date): Promise<void> {
  await sql`
    update rules set version = version + 1, updated_at = ${now} where id = any(${[...ruleIds]}::uuid[])`.execute(tx)
}

export async function saveRuleSwitches(
  tx: Tx,
  switches: readonly { id: string; enabled: boolean; at: Date }[],
): Promise<void> {
  await sql`
    update rules set enabled = state.enabled, updated_at = state.at
    from jsonb_to_recordset(${JSON.stringify(switches)}::jsonb) as state (id uuid, enabled boolean, at timestamptz)
    where rules.id = any(${switches.map(({ id }) => id)}::uuid[]) and rules.id = state.id`.execute(tx)
}

/**
 * How many visitors rules would reassign, of those in their present phase whom the last snapshot of results counted.
 * Null for a rule without a snapshot.
 */
export async function movedVisitors(
  db: Db,
  reassignments: readonly Reassignment[],
): Promise<{ ruleId: string; visitors: number | null }[]> {
  if (reassignments.length === 0) return []
  const { rows } = await sql<{ ruleId: string; visitors: number | null }>`
    select "ruleId", case when exists (select from snapshots where rule_id = "ruleId") then
      round(share * coalesce((
        select sum(units + crossed) from unit_cohorts
        where rule_id = "ruleId" group by phase order by phase desc limit 1), 0))::integer end as visitors
    from jsonb_to_recordset(${JSON.stringify(reassignments)}::jsonb) as told ("ruleId" uuid, share numeric)`.execute(db)
  return rows
}

/** Deletes the rows of rules that neither version has any more. */
export async function deleteRuleRows(tx: Tx, ruleIds: readonly string[]): Promise<void> {
  await sql`delete from rules where id = any(${[...ruleIds]}::uuid[])`.execute(tx)
}

/** The first `limit` rules of the project that refer to each of these audiences or segments, drafted or live. */
export async function rulesNaming(
  db: Db,
  projectId: string,
  ids: readonly string[],
  limit: number,
): Promise<{ named: string; use: RuleUse }[]> {
  const { rows } = await sql<{ named: string } & Parameters<typeof useOf>[0]>`
    select named, id as "ruleId", "flagId", "envId", ${webExperimentOf('numbered.flagId')} as "experimentId" from (
      select *, row_number() over (partition by named order by "flagId", "envId", id) as place from (
        select distinct reference as named, rule ->> 'id' as id, fe.flag_id as "flagId", fe.env_id as "envId"
        from flag_environments fe
          join environments on environments.id = fe.env_id and environments.project_id = ${projectId},
          jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule,
          jsonb_array_elements_text(rule_references(jsonb_build_array(rule))) reference
        where (fe.draft_references <> '[]' or fe.live_references <> '[]')
          and reference = any(${[...ids]}::text[])
      ) rules
    ) numbered
    where place <= ${limit} order by place`.execute(db)
  return rows.map(({ named, ...rule }) => ({ named, use: useOf(rule) }))
}

/** The first time that a data file serves a rule, as a part of the statement that saves the file. */
export const markingServed = (rules: readonly { ruleId: string; at: Date }[]): RawBuilder<unknown> => sql`
  update rules set first_served_at = served.at
  from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as served ("ruleId" uuid, at timestamptz)
  where rules.id = any(${rules.map(({ ruleId }) => ruleId)}::uuid[]) and rules.id = served."ruleId"
    and first_served_at is null`
