import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Since } from '../results/index.ts'
import type { DimensionUnits, UnitsOfRevision } from './evidence.ts'

/** A rule with a snapshot that was not judged yet. */
export interface WaitingRule {
  ruleId: string
  orgId: string
  projectId: string
  flagId: string
  envId: string
  envName: string
}

/** What is remembered of a rule. */
export interface Watched {
  asOf: Date | null
  told: string[]
  since: Record<string, Since>
  /** When each failure of `told` was told. */
  toldAt: Record<string, string>
  digestDay: string | null
  digestFigures: string | null
}

const ofExistingRules = sql`
  from measured_rules measured
    join projects on projects.id = measured.project_id and projects.org_id is not null
    join environments on environments.id = measured.env_id
    join flags on flags.id = measured.flag_id
    left join watched_rules watched on watched.rule_id = measured.rule_id
    cross join lateral (
      select as_of from snapshots where snapshots.rule_id = measured.rule_id order by as_of desc limit 1) newest
  where (watched.as_of is null or watched.as_of < newest.as_of)`

/** The rules whose newest snapshot was not judged, or only this one of them. A rule that failed waits for its turn. */
export async function waitingRules(
  db: Db,
  now: Date,
  { ruleId = null, limit }: { ruleId?: string | null; limit: number },
): Promise<WaitingRule[]> {
  const { rows } = await sql<WaitingRule>`
    select measured.rule_id as "ruleId", projects.org_id as "orgId", measured.project_id as "projectId",
      measured.flag_id as "flagId", measured.env_id as "envId", environments.name as "envName"
    ${ofExistingRules} and (watched.retry_at is null or watched.retry_at <= ${now})
      and (${ruleId}::uuid is null or measured.rule_id = ${ruleId}::uuid)
    order by newest.as_of limit ${limit}`.execute(db)
  return rows
}

/** The oldest snapshot that was not judged; null if all were. */
export async function oldestWaiting(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ asOf: Date | null }>`select min(newest.as_of) as "asOf" ${ofExistingRules}`.execute(db)
  return rows[0]!.asOf
}

const columns = sql`as_of as "asOf", told, told_at as "toldAt", since, to_char(digest_day, 'YYYY-MM-DD') as "digestDay",
  digest_figures as "digestFigures"`

export async function findWatched(db: Db, ruleId: string): Promise<Watched> {
  const { rows } = await sql<Watched>`select ${columns} from watched_rules where rule_id = ${ruleId}`.execute(db)
  return rows[0] ?? { asOf: null, told: [], since: {}, toldAt: {}, digestDay: null, digestFigures: null }
}

/** Enters the rule if it is new. No other node judges it until the transaction ends. */
export async function lockWatched(tx: Tx, ruleId: string): Promise<Watched> {
  await sql`insert into watched_rules (rule_id) values (${ruleId}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<Watched>`
    select ${columns} from watched_rules where rule_id = ${ruleId} for no key update`.execute(tx)
  return rows[0]!
}

export async function saveWatched(
  tx: Tx,
  ruleId: string,
  { asOf, told, since, toldAt, digestDay, digestFigures }: Watched,
): Promise<void> {
  await sql`
    update watched_rules set as_of = ${asOf}, told = ${told}::text[],
      since = ${JSON.stringify(since)}::jsonb, told_at = ${JSON.stringify(toldAt)}::jsonb, digest_day = ${digestDay}::date,
      digest_figures = ${digestFigures}, failures = 0, retry_at = null
    where rule_id = ${ruleId}`.execute(tx)
}

/** Notes that a rule could not be judged. It waits for twice as long after each failure. */
export async function noteFailure(
  db: Db,
  ruleId: string,
  { now, firstMs, mostMs }: { now: Date; firstMs: number; mostMs: number },
): Promise<void> {
  const waitMs = (failures: string) =>
    sql`least(${mostMs}::float8, ${firstMs}::float8 * 2 ^ least(${sql.raw(failures)}, 30))`
  await sql`
    insert into watched_rules as known (rule_id, failures, retry_at)
    values (${ruleId}, 1, ${now}::timestamptz + make_interval(secs => ${waitMs('0')} / 1000))
    on conflict (rule_id) do update set failures = known.failures + 1,
      retry_at = ${now}::timestamptz + make_interval(secs => ${waitMs('known.failures')} / 1000)`.execute(db)
}

/** Units of a rule by the newest revision at their first exposure. `moments` are those of the revisions, in order. */
export async function unitsByRevision(db: Db, ruleId: string, moments: readonly Date[]): Promise<UnitsOfRevision[]> {
  const { rows } = await sql<UnitsOfRevision>`
    select greatest(0, width_bucket(first_at, ${moments.map((at) => at.toISOString())}::timestamptz[]) - 1) as place,
      phase, variation_id as "variationId", count(*)::integer as units
    from rule_units where rule_id = ${ruleId} and kind = 0 and not busy
    group by place, phase, variation_id`.execute(db)
  return rows
}

/**
 * Units since a moment by the values of their dimensions. Only the latest ones, so that this takes a moment however many
 * there are.
 */
export async function unitsByDimension(
  db: Db,
  ruleId: string,
  since: Date,
  { units, values }: { units: number; values: number },
): Promise<DimensionUnits[]> {
  const { rows } = await sql<DimensionUnits>`
    with latest as (
      select dimensions, variation_id, first_at from rule_units
      where rule_id = ${ruleId} and kind = 0 and not busy and first_at >= ${since}
      order by first_at desc limit ${units}
    )
    select name, value, variation_id as "variationId",
      to_char(first_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::integer as units
    from (select unnest(dimensions) as dimension, variation_id, first_at from latest) each
      join (select dimension, name, value from rule_dimensions where rule_id = ${ruleId} and not rest) named using (dimension)
    group by name, value, variation_id, day
    order by units desc, name, value limit ${values}`.execute(db)
  return rows
}
