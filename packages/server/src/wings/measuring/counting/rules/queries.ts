import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { type Claim, dueRows } from '../../../../platform/due-rows.ts'
import type { PastRule } from '../history.ts'
import type { MetricRow } from '../measure.ts'

/** Where a rule is whose visitors are counted. */
export interface MeasuredPlace {
  ruleId: string
  projectId: string
  flagId: string
  envId: string
}

/** Such a rule, while this node works on it. */
export interface MeasuredRule extends MeasuredPlace, Claim {
  /** The last batch of exposures that was read. */
  batch: number
}

const columns = sql`rule_id as "ruleId", project_id as "projectId", flag_id as "flagId", env_id as "envId", batch`

/**
 * Enters the rules that count visitors and were served: tests, and deliveries with exposures. Each becomes due at once,
 * spread over a minute so that not all begin together.
 */
export async function enterRules(db: Db, now: Date): Promise<void> {
  await sql`
    insert into measured_rules (rule_id, project_id, flag_id, env_id, due_at)
    select rules.id, environments.project_id, rules.flag_id, rules.env_id,
      ${now}::timestamptz + make_interval(secs => abs(hashtext(rules.id::text)) % 60)
    from rules
      join environments on environments.id = rules.env_id
      join flag_environments fe on fe.flag_id = rules.flag_id and fe.env_id = rules.env_id
    where rules.first_served_at is not null
      and jsonb_path_exists(fe.live,
        '$.rules[*] ? (@.id == $id && (@.type == "AB_TEST" || @.exposures == true))', jsonb_build_object('id', rules.id))
      and not exists (select from measured_rules known where known.rule_id = rules.id)
    on conflict do nothing`.execute(db)
}

/** Enters one rule, if it is not yet known. */
export async function enterRule(
  db: Db,
  { ruleId, projectId, flagId, envId }: MeasuredPlace,
  dueAt: Date,
): Promise<void> {
  await sql`
    insert into measured_rules (rule_id, project_id, flag_id, env_id, due_at)
    values (${ruleId}, ${projectId}, ${flagId}, ${envId}, ${dueAt}) on conflict do nothing`.execute(db)
}

/** A snapshot that found no database is tried again soon. */
export const dueRules = dueRows<Omit<MeasuredRule, keyof Claim>>({
  table: 'measured_rules',
  key: 'rule_id',
  dueAt: 'due_at',
  columns,
  backoff: { firstMs: 60_000, mostMs: 3_600_000 },
})

export async function batchOfRule(db: Db, ruleId: string): Promise<number | undefined> {
  const { rows } = await sql<{ batch: number }>`select batch from measured_rules where rule_id = ${ruleId}`.execute(db)
  return rows[0]?.batch
}

/** The last change of orders that the rule knows. Undefined if the rule is gone. */
export async function changesOfRule(db: Db, ruleId: string): Promise<number | undefined> {
  const { rows } = await sql<{ batch: number }>`
    select changes_batch as batch from measured_rules where rule_id = ${ruleId}`.execute(db)
  return rows[0]?.batch
}

export async function saveChanges(tx: Tx, ruleId: string, batch: number): Promise<void> {
  await sql`
    update measured_rules set changes_batch = ${batch}::bigint
    where rule_id = ${ruleId} and changes_batch < ${batch}::bigint`.execute(tx)
}

/** What the revisions that changed the flag said about one of its rules, oldest first. */
export async function pastOfRule(
  db: Db,
  { ruleId, flagId, envId }: Pick<MeasuredRule, 'ruleId' | 'flagId' | 'envId'>,
): Promise<PastRule[]> {
  const { rows } = await sql<PastRule>`
    select past.revision, revisions.published_at as at, rule, coalesce(
        jsonb_path_exists(('{' || past.fragment || '}')::jsonb, '$.*.rules[*] ? (@.id == $id)',
          jsonb_build_object('id', rule ->> 'shortId')), false
      ) as served
    from revision_flags past
      join revisions on revisions.env_id = past.env_id and revisions.revision = past.revision
        and revisions.step = past.step
      left join lateral (
        select rule from jsonb_array_elements(past.live -> 'rules') rule where rule ->> 'id' = ${ruleId}
      ) found on true
    where past.env_id = ${envId} and past.flag_id = ${flagId} and published_at is not null
    order by past.revision, past.step`.execute(db)
  return rows
}

/** Notes how far the exposures have been read, and when a visitor was seen last. */
export async function saveProgress(tx: Tx, ruleId: string, batch: number, lastAt: Date | null): Promise<void> {
  await sql`
    update measured_rules set batch = ${batch}::bigint,
      last_exposure_at = greatest(last_exposure_at, ${lastAt}::timestamptz)
    where rule_id = ${ruleId}`.execute(tx)
}

export async function lastExposureAt(tx: Tx, ruleId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select last_exposure_at as at from measured_rules where rule_id = ${ruleId}`.execute(tx)
  return rows[0]?.at ?? null
}

/**
 * Lets the transaction sort and hash in memory, and keeps its planner from joining in nested loops, except for look-ups
 * that are written as such, and from sorting both sides of a join by the names of units. Without statistics, as for the
 * partition of a new day, it expects few rows, and the time would grow with the product of both sides. The planner
 * counts such a look-up as very expensive, so it would compile every statement.
 */
export const joinByHash = (tx: Tx) =>
  sql`select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`.execute(
    tx,
  )

/** Notes what is wrong with the results of a rule: a sentence; null if nothing is. */
export async function noteFailing(tx: Tx, ruleId: string, failure: string | null, now: Date): Promise<void> {
  await sql`
    update measured_rules set failure = ${failure}::text,
      failing_since = case when ${failure}::text is not null then coalesce(failing_since, ${now}) end
    where rule_id = ${ruleId} and failure is distinct from ${failure}::text`.execute(tx)
}

export async function readMetrics(db: Db, projectId: string, keys: readonly string[]): Promise<MetricRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<MetricRow>`
    select id, key, name, type, event_key as "eventKey", value_from as "valueFrom", denominator, direction, unit,
      conversion_window_hours as "conversionWindowHours", winsorize_at as "winsorizeAt",
      non_inferiority_margin as "nonInferiorityMargin"
    from metrics where project_id = ${projectId} and key = any(${[...keys]}::text[])`.execute(db)
  return rows
}
