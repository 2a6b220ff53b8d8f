import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { webExperimentOf } from '../../model/experiments/index.ts'
import { type Counts, double } from '../counting/index.ts'
import type { KeptFigures } from './figures.ts'
import type { RecentSums, RecentVisitors } from './recent.ts'
import type { Dimension, HealthCheck, Results, ResultsSummary } from './schema.ts'

/** Stores what results show while snapshots fail. It is not the snapshot of its day. */
export async function saveFailed(tx: Tx, ruleId: string, asOf: Date, document: object): Promise<void> {
  await sql`delete from snapshots where rule_id = ${ruleId} and day is null and as_of <= ${asOf}`.execute(tx)
  await sql`
    insert into snapshots (rule_id, as_of, document) values (${ruleId}, ${asOf}, ${JSON.stringify(document)}::json)
    on conflict do nothing`.execute(tx)
}

/** Stores a snapshot. Earlier ones go, except for the first of each day. */
export async function saveSnapshot(
  tx: Tx,
  ruleId: string,
  asOf: Date,
  document: object,
  dimensions: readonly { name: string }[],
): Promise<void> {
  await sql`delete from snapshots where rule_id = ${ruleId} and day is null and as_of <= ${asOf}`.execute(tx)
  await sql`
    insert into snapshots (rule_id, as_of, day, document)
    values (${ruleId}, ${asOf},
      (select ${asOf.toISOString().slice(0, 10)}::date where not exists (
        select from snapshots where rule_id = ${ruleId} and day = ${asOf.toISOString().slice(0, 10)}::date)),
      ${JSON.stringify(document)}::json)
    on conflict do nothing`.execute(tx)
  await sql`
    delete from snapshot_dimensions
    where rule_id = ${ruleId} and name <> all(${dimensions.map(({ name }) => name)}::text[])`.execute(tx)
  await sql`
    insert into snapshot_dimensions (rule_id, name, document)
    select ${ruleId}::uuid, name, document from unnest(${dimensions.map(({ name }) => name)}::text[],
      ${dimensions.map((dimension) => JSON.stringify(dimension))}::json[]) told (name, document)
    on conflict (rule_id, name) do update set document = excluded.document`.execute(tx)
}

/** What a test with a fixed horizon has kept, with what the metric counted then. */
export async function readKeptFigures(
  tx: Tx,
  ruleId: string,
  phase: number,
): Promise<(KeptFigures & { counts: Counts })[]> {
  const { rows } = await sql<KeptFigures & { counts: Counts }>`
    select metric_id as "metricId", at, rows, cap as "winsorizedAt", capped as "winsorizedUnits", counts
    from kept_figures where rule_id = ${ruleId} and phase = ${phase}`.execute(tx)
  return rows
}

/**
 * Keeps figures. Those that are kept already stay, unless they are of an earlier phase or of a metric with a different
 * definition.
 */
export async function keepFigures(
  tx: Tx,
  ruleId: string,
  phase: number,
  { metricId, at, rows, winsorizedAt, winsorizedUnits, counts }: KeptFigures & { counts: Counts },
): Promise<void> {
  await sql`
    insert into kept_figures as known (rule_id, metric_id, phase, counts, at, rows, cap, capped)
    values (${ruleId}, ${metricId}, ${phase}, ${JSON.stringify(counts)}::jsonb, ${at}, ${JSON.stringify(rows)}::jsonb,
      ${winsorizedAt}, ${winsorizedUnits})
    on conflict (rule_id, metric_id) do update set phase = excluded.phase, counts = excluded.counts, at = excluded.at,
      rows = excluded.rows, cap = excluded.cap, capped = excluded.capped
    where known.phase <> excluded.phase or known.counts <> excluded.counts`.execute(tx)
}

/** A dimension in the newest snapshot, as it was written. */
export async function lastDimension(db: Db, ruleId: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ document: string }>`
    select document::text as document from snapshot_dimensions where rule_id = ${ruleId} and name = ${name}`.execute(db)
  return rows[0]?.document
}

/** All dimensions in the newest snapshot. */
export async function lastDimensions(db: Db, ruleId: string): Promise<Dimension[]> {
  const { rows } = await sql<{ document: Dimension }>`
    select document from snapshot_dimensions where rule_id = ${ruleId} order by name`.execute(db)
  return rows.map(({ document }) => document)
}

/** The newest snapshot. */
export async function lastSnapshot(db: Db, ruleId: string): Promise<{ asOf: Date; document: Results } | undefined> {
  const { rows } = await sql<{ asOf: Date; document: Results }>`
    select as_of as "asOf", document from snapshots where rule_id = ${ruleId} order by as_of desc limit 1`.execute(db)
  return rows[0]
}

/** The newest document, as it was written. */
export async function lastDocument(db: Db, ruleId: string): Promise<string | undefined> {
  const { rows } = await sql<{ document: string }>`
    select document::text as document from snapshots where rule_id = ${ruleId}
    order by as_of desc limit 1`.execute(db)
  return rows[0]?.document
}

/** A published revision since which a check fails. */
export type Since = NonNullable<HealthCheck['since']>

/** The revisions since which the reported failures exist, by check. */
export async function failingSince(db: Db, ruleId: string): Promise<Readonly<Record<string, Since>>> {
  const { rows } = await sql<{ since: Record<string, Since> }>`
    select since from watched_rules where rule_id = ${ruleId}`.execute(db)
  return rows[0]?.since ?? {}
}

/** What the newest snapshots of rules say, by rule. Those without a snapshot are not in it. */
export async function lastSummaries(db: Db, ruleIds: readonly string[]): Promise<Map<string, ResultsSummary>> {
  const { rows } = await sql<ResultsSummary & { ruleId: string }>`
    select rule_id as "ruleId", coalesce(told."dataThrough", told."generatedAt") as "asOf", told."runtimeDays",
      (told.units ->> 'total')::integer as units, told.progress, told.recommendation,
      json_build_object('status', told.health ->> 'status', 'failed', coalesce((
        select json_agg(each -> 'check') from json_array_elements(told.health -> 'checks') each
        where each ->> 'status' = 'FAILED'), '[]')) as health,
      (select json_build_object('metricId', metric -> 'metricId', 'name', metric -> 'name',
          'direction', metric -> 'direction', 'variations', coalesce((
            select json_agg(json_build_object('variationId', arm -> 'variationId', 'status', arm #> '{comparison,status}',
              'significant', arm #> '{comparison,significant}', 'lift', arm #> '{comparison,lift}') order by arm_at)
            from json_array_elements(metric -> 'variations') with ordinality arms (arm, arm_at)
            where arm #>> '{comparison,status}' is not null), '[]'))
        from json_array_elements(told.metrics) with ordinality of_test (metric, metric_at)
        where metric ->> 'role' = 'PRIMARY' order by metric_at limit 1) as "primaryMetric"
    from unnest(${[...ruleIds]}::uuid[]) asked (rule_id)
      cross join lateral (
        select document from snapshots where snapshots.rule_id = asked.rule_id order by as_of desc limit 1) newest
      cross join lateral json_to_record(newest.document) as told ("generatedAt" text, "dataThrough" text,
        "runtimeDays" float8, units json, health json, progress json, recommendation json, metrics json)`.execute(db)
  return new Map(rows.map(({ ruleId, ...summary }) => [ruleId, summary]))
}

export async function lastSnapshotAt(db: Db, ruleId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ asOf: Date }>`
    select as_of as "asOf" from snapshots where rule_id = ${ruleId} order by as_of desc limit 1`.execute(db)
  return rows[0]?.asOf
}

/** The first document of each day, oldest first. */
export async function dailyDocuments(db: Db, ruleId: string): Promise<Pick<Results, 'dataThrough' | 'metrics'>[]> {
  const { rows } = await sql<Pick<Results, 'dataThrough' | 'metrics'>>`
    select document ->> 'dataThrough' as "dataThrough", document -> 'metrics' as metrics from snapshots
    where rule_id = ${ruleId} and day is not null order by as_of`.execute(db)
  return rows
}

/** The environment of a rule of a flag. */
export async function environmentOfRule(db: Db, flagId: string, ruleId: string): Promise<string | undefined> {
  const { rows } = await sql<{ envId: string }>`
    select env_id as "envId" from rules where id = ${ruleId} and flag_id = ${flagId}`.execute(db)
  return rows[0]?.envId
}

/** Whether an SDK has reported itself in the environment since this moment. */
export async function hasHeartbeats(db: Db, envId: string, since: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from sdk_instances where env_id = ${envId} and last_seen_at >= ${since}) as found`.execute(db)
  return rows[0]!.found
}

interface RecentOf {
  projectId: string
  envId: string
  /** Days (UTC): from, and before. */
  from: string
  until: string
}

/** The new visitors of each rule of an environment. Costs the same for any number of visitors. */
export async function recentVisitors(db: Db, { projectId, envId, from, until }: RecentOf): Promise<RecentVisitors[]> {
  const { rows } = await sql<RecentVisitors>`
    select rule_id as "ruleId", flags.id as "flagId", flags.key as "flagKey",
      ${webExperimentOf('flags.id')} as "experimentId", sum(units)::float8 as units,
      to_char(min(day) filter (where units > 0), 'YYYY-MM-DD') as "firstDay"
    from measured_rules join flags on flags.id = flag_id join unit_cohorts using (rule_id)
    where measured_rules.project_id = ${projectId} and env_id = ${envId} and day >= ${from}::date and day < ${until}::date
    group by rule_id, flags.id having sum(units) > 0 order by rule_id`.execute(db)
  return rows
}

/** Exact, because the difference of large sums would be lost in floating point. */
const squares = `(case when sum(sum_d) = 0 then (sum(n) * sum(sum_yy) - sum(sum_y) * sum(sum_y)) / sum(n) else (
  sum(sum_yy) * sum(sum_d) * sum(sum_d) - 2 * sum(sum_y) * sum(sum_d) * sum(sum_yd) + sum(sum_y) * sum(sum_y) * sum(sum_dd)
) / (sum(sum_d) * sum(sum_d)) end)`

/** The sums of these metrics over the new visitors of each rule of an environment. */
export async function recentSums(
  db: Db,
  { projectId, envId, from, until }: RecentOf,
  metrics: readonly { id: string; openFrom: string }[],
): Promise<RecentSums[]> {
  const ids = metrics.map(({ id }) => id)
  const days = metrics.map(({ openFrom }) => openFrom)
  const { rows } = await sql<RecentSums>`
    select rule_id as "ruleId", flags.id as "flagId", flags.key as "flagKey",
      ${webExperimentOf('flags.id')} as "experimentId", metric_id as "metricId",
      day < open_from as "isClosed",
      sum(n)::float8 as n, ${double('sum(sum_y)')} as "sumY", ${double('sum(sum_d)')} as "sumD",
      ${double(squares)} as squares
    from measured_rules join flags on flags.id = flag_id join metric_cohorts using (rule_id)
      join unnest(${ids}::uuid[], ${days}::date[]) asked (metric_id, open_from) using (metric_id)
    where measured_rules.project_id = ${projectId} and env_id = ${envId} and day >= ${from}::date and day < ${until}::date
    group by rule_id, flags.id, metric_id, day < open_from having sum(n) > 1 order by rule_id, metric_id`.execute(db)
  return rows
}
