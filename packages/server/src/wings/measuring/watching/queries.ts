import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { type Claim, dueRows } from '../../../platform/due-rows.ts'
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
  /** When each failure of `told` was reported. */
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

/** A rule that cannot be judged is tried again later, so that it does not hold up the others. */
const dueWatched = dueRows<Watched>({
  table: 'watched_rules',
  key: 'rule_id',
  dueAt: 'retry_at',
  columns,
  backoff: { firstMs: 60_000, mostMs: 3_600_000 },
})

export const { fail: noteFailure, release: giveBack, renew: lockWatched } = dueWatched

/** Enters the rule if it is new, and takes it unless a node is judging it. */
export async function claimWatched(
  db: Db,
  ruleId: string,
  claiming: { now: Date; until: Date },
): Promise<(Watched & Claim) | undefined> {
  await sql`insert into watched_rules (rule_id) values (${ruleId}) on conflict do nothing`.execute(db)
  return dueWatched.claimOne(db, ruleId, claiming)
}

export async function saveWatched(
  tx: Tx,
  ruleId: string,
  { asOf, told, since, toldAt, digestDay, digestFigures }: Watched,
): Promise<void> {
  await sql`
    update watched_rules set as_of = ${asOf}, told = ${told}::text[],
      since = ${JSON.stringify(since)}::jsonb, told_at = ${JSON.stringify(toldAt)}::jsonb, digest_day = ${digestDay}::date,
      digest_figures = ${digestFigures}
    where rule_id = ${ruleId}`.execute(tx)
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
