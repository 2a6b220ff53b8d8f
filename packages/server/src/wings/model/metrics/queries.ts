import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { webExperimentOf } from '../experiments/index.ts'
import { type RuleUse, useOf } from '../rules/index.ts'
import type { Trigger } from '../web/index.ts'

/** A metric that a rule can name. */
export interface KnownMetric {
  key: string
  archived: boolean
}

/** Which of these metrics the project has. Locks them against deletion until the transaction ends. */
export async function lockMetrics(tx: Tx, projectId: string, keys: readonly string[]): Promise<KnownMetric[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<KnownMetric>`
    select key, archived from metrics where project_id = ${projectId} and key = any(${[...keys]}::text[])
    order by id for key share`.execute(tx)
  return rows
}

/** The metrics among these that have a trigger. */
export async function triggersOf(
  tx: Tx,
  projectId: string,
  keys: readonly string[],
): Promise<{ key: string; eventKey: string; trigger: Trigger }[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<{ key: string; eventKey: string; trigger: Trigger }>`
    select key, event_key as "eventKey", trigger from metrics
    where project_id = ${projectId} and key = any(${[...keys]}::text[]) and trigger is not null
    order by event_key collate "C"`.execute(tx)
  return rows
}

/** A rule that names a metric, in its draft or live version. */
export interface MetricUse {
  /** The key of the metric. */
  named: string
  /** The rule is a test that has begun: its live version names the metric, and visitors have been served. */
  begun: boolean
  use: RuleUse
}

/** The first `limit` rules of the project that name each of these metrics, those that have begun first. */
export async function rulesMeasuring(
  db: Db,
  projectId: string,
  keys: readonly string[],
  limit: number,
): Promise<MetricUse[]> {
  const { rows } = await sql<Omit<MetricUse, 'use'> & Parameters<typeof useOf>[0]>`
    select named, id as "ruleId", "flagId", "envId", ${webExperimentOf('numbered.flagId')} as "experimentId", begun from (
      select *, row_number() over (partition by named order by begun desc, "flagId", "envId", id) as place from (
        select named, rule ->> 'id' as id, fe.flag_id as "flagId", fe.env_id as "envId",
          bool_or(is_live and first_served_at is not null) as begun
        from flag_environments fe
          join environments on environments.id = fe.env_id and environments.project_id = ${projectId}
          cross join lateral (
            select rule, false as is_live from jsonb_array_elements(fe.draft -> 'rules') rule
            union all
            select rule, true from jsonb_array_elements(fe.live -> 'rules') rule
          ) each
          cross join lateral (
            select distinct key #>> '{}' as named from jsonb_path_query(rule, 'strict $.metrics.*[*]', silent => true) key
          ) measured
          join rules on rules.id = (rule ->> 'id')::uuid
        where (draft @? '$.rules[*] ? (@.type == "AB_TEST")' or live @? '$.rules[*] ? (@.type == "AB_TEST")')
          and named = any(${[...keys]}::text[])
        group by named, rule ->> 'id', fe.flag_id, fe.env_id
      ) uses
    ) numbered
    where place <= ${limit} order by place`.execute(db)
  return rows.map(({ named, begun, ...rule }) => ({ named, begun, use: useOf(rule) }))
}

/** An experiment that has ended with a metric. */
export interface EndedWith {
  /** The key of the metric. */
  named: string
  id: string
  ruleId: string
  /** Null for a web experiment. */
  flagId: string | null
  envId: string
}

/**
 * The latest `limit` ended experiments with each of these metrics. Their results are still computed, also when a roll-out
 * has replaced the rule.
 */
export async function experimentsEndedWith(
  db: Db,
  projectId: string,
  keys: readonly string[],
  limit: number,
): Promise<EndedWith[]> {
  const { rows } = await sql<EndedWith>`
    select named, id, "ruleId", "flagId", "envId" from (
      select key #>> '{}' as named, id, rule_id as "ruleId",
        case when type = 'FEATURE' then flag_id end as "flagId", env_id as "envId",
        row_number() over (partition by key order by id desc) as place
      from experiments
        cross join lateral jsonb_path_query(final_definition, 'strict $.metrics.*[*]', silent => true) key
      where project_id = ${projectId} and key #>> '{}' = any(${[...keys]}::text[])
    ) numbered
    where place <= ${limit} order by place`.execute(db)
  return rows
}
