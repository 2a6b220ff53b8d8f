import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Rows } from '../../events/index.ts'
import type { UnitRow } from '../cohort.ts'

/** How exposures become units. */
export interface UnitRules {
  starts: readonly Date[]
  switches: readonly Date[]
  mostInHour: number
  kept: Date
  /** `none`: the rule has no units yet. */
  known: KnownUnits | 'none'
}

/** How to find what is known of units: all are read, or each one is looked up. */
export type KnownUnits = 'all' | 'each'

/** A look-up takes about as long as reading this many units in a row. */
const readInOneLookUp = 8

/** The quicker way to find what is known of the units of this many events. */
export async function knownUnits(tx: Tx, ruleId: string, events: number): Promise<KnownUnits> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units + crossed + bots + overrides + paused), 0)::float8 as units
    from unit_cohorts where rule_id = ${ruleId}`.execute(tx)
  return events * readInOneLookUp > rows[0]!.units ? 'all' : 'each'
}

/** `kind` of a unit in a pause of the rule, or before its launch. Events have kinds below it. */
const paused = 3

/** A unit that counts. */
export const counts = sql`kind = 0 and not crossed and not busy`

/**
 * Adds the units of `moved` to the numbers of units, or takes them away where `change` is -1. Parts of a `with` that has it:
 * phase, kind, variation_id, first_at, crossed, busy, dimensions, change.
 */
export const countingUnits = (ruleId: string) => sql`counted as (
    insert into unit_cohorts as kept (rule_id, phase, variation_id, day, units, crossed, bots, overrides, paused)
    select ${ruleId}::uuid, phase, variation_id, ${dayOf},
      coalesce(sum(change) filter (where ${counts}), 0),
      coalesce(sum(change) filter (where kind = 0 and crossed and not busy), 0),
      coalesce(sum(change) filter (where kind = 2 or (kind = 0 and busy)), 0),
      coalesce(sum(change) filter (where kind = 1), 0), coalesce(sum(change) filter (where kind = ${paused}), 0)
    from moved group by phase, variation_id, ${dayOf}
    on conflict (rule_id, phase, variation_id, day) do update set
      units = kept.units + excluded.units, crossed = kept.crossed + excluded.crossed,
      bots = kept.bots + excluded.bots, overrides = kept.overrides + excluded.overrides,
      paused = kept.paused + excluded.paused
  ), split as (
    insert into dimension_units as kept (rule_id, dimension, phase, variation_id, units)
    select ${ruleId}::uuid, dimension, phase, variation_id, sum(change)
    from (select unnest(dimensions) as dimension, phase, variation_id, change from moved where ${counts}) each
    group by dimension, phase, variation_id
    on conflict (rule_id, dimension, phase, variation_id) do update set units = kept.units + excluded.units
  )`

/**
 * Adds exposures of a rule to its units, and to the numbers of units in cohorts. The result does not depend on the
 * order in which exposures arrive. Units that metrics have to count differently than before are noted in
 * `changed_units`. The caller has locked the rule, so what is known does not change meanwhile. Returns when the last
 * visitor was seen, if there was one.
 *
 * It also adds to the exposures that units had in an hour. A unit with more of them than a person causes is busy and does
 * not count. Hours from a day before the portion are forgotten.
 *
 * The exposures are sorted once, because they are many more than what they change. Only the hours of a few units are
 * looked up in them again.
 *
 * @param exposures those of one portion
 * @param starts when the phases began, oldest first
 * @param switches when the rule began to serve and ended, in turn: exposures between an end and the next begin, and those
 *   that a wrong clock dates before the first begin, do not count
 * @param mostInHour how many exposures in an hour a person causes at most
 * @param kept events from before may be deleted: the first exposure of a unit from before does not move any more
 */
export async function addUnits(
  tx: Tx,
  ruleId: string,
  exposures: Rows,
  { starts, switches, mostInHour, kept, known }: UnitRules,
): Promise<Date | null> {
  const { rows } = await sql<{ last: Date | null }>`
    with told as materialized (
      ${groupedByUnit(exposures, { starts, switches })}
    ), ${countingHours(ruleId, exposures)}, busy as materialized (
      select distinct unit from counted_hours where exposures > ${mostInHour}::integer
    ), news as materialized (
      select judged.*, found.dimensions, found.others, was.first_at as was_first_at,
        was.variation_id as was_variation_id, was.crossed as was_crossed, was.busy as was_busy,
        was.dimensions as was_dimensions
      from (
          select phase, unit, kind, first_at, first_id, variation_id, facts, crossed,
            unit in (select unit from busy) as busy
          from told
        ) judged ${withKnown(ruleId, known)}
        left join lateral (${sorted(ruleId, 'judged.facts')}) found on judged.facts is not null
      where was.first_at is null or ${isEarlier('judged', 'was', kept)} or (judged.busy and not was.busy)
        or (not was.crossed and (judged.crossed or was.variation_id <> judged.variation_id))
    ), saved as (
      insert into rule_units as kept
        (rule_id, phase, unit, kind, first_at, first_id, variation_id, crossed, busy, dimensions, others)
      select ${ruleId}::uuid, phase, unit, kind, first_at, first_id, variation_id, crossed, busy, dimensions, others
      from news
      order by unit, phase, kind
      ${known === 'none' ? sql`` : merging(kept)}
      returning phase, kind, first_at, variation_id, crossed, busy, dimensions
    ), moved as (
      select phase, kind, variation_id, first_at, crossed, busy, dimensions, 1 as change from saved
      union all
      select phase, kind, was_variation_id, was_first_at, was_crossed, was_busy, was_dimensions, -1
      from news where was_first_at is not null
    ), ${countingUnits(ruleId)}, noted as (
      insert into changed_units (rule_id, phase, unit, was_first_at, was_variation_id, was_dimensions)
      select ${ruleId}::uuid, phase, unit, ${ifCounted('was_first_at')}, ${ifCounted('was_variation_id')},
        ${ifCounted('was_dimensions')}
      from news
      where kind = 0 and exists (select from rule_measures where rule_id = ${ruleId} and batch > 0)
      on conflict do nothing
    )
    select max(last_at) as last from told where kind in (0, ${paused})`.execute(tx)
  return rows[0]!.last
}

/** The hour of an exposure. */
const hour = sql`date_bin('1 hour', at, 'epoch')`

/**
 * The first exposure of each unit in the order of time, whether two of them came in one hour, and whether it got other
 * variations.
 */
function groupedByUnit(exposures: Rows, { starts, switches }: Pick<UnitRules, 'starts' | 'switches'>): Rows {
  const times = (moments: readonly Date[]) => sql`${moments.map((moment) => moment.toISOString())}::timestamptz[]`
  const place = sql`width_bucket(at, ${times(switches)})`
  return sql`
    select phase, unit, kind, first_at, last_at, close, ids[1] as first_id, variations[1] as variation_id, facts[1] as facts,
      variations[1] <> any(variations) as crossed
    from (
      select phase, unit, kind, min(at) as first_at, max(at) as last_at, bool_or(before >= ${hour}) as close,
        array_agg(id) as ids, array_agg(variation_id) as variations, array_agg(dimensions) as facts
      from (
        select *, lag(at) over (partition by hash, unit, kind, phase order by at, id) as before
        from (
          select unit, hashtextextended(unit, 0) as hash, at, id, variation_id, dimensions,
            greatest(1, width_bucket(at, ${times(starts)})) as phase,
            case when kind = 0 and ${place} % 2 = 0 then ${paused}::smallint else kind end as kind
          from (${exposures}) exposures
        ) placed
        order by hash, unit, kind, phase, at, id
      ) in_order
      group by hash, unit, kind, phase
    ) grouped`
}

/**
 * Parts of a `with` that has `told`. Only units with several exposures in an hour of the portion have a row: few people
 * have. A unit that is told of an earlier phase or of a pause can be told of elsewhere too, and its hour has the exposures
 * of both.
 */
const countingHours = (ruleId: string, exposures: Rows) => sql`
  several as materialized (
    select unit, ${hour} as hour, count(*)::integer as exposures
    from (${exposures}) exposures
    where kind = 0 and unit in (
      select unit from told
      where kind in (0, ${paused}) and (close or kind = ${paused} or phase < (select max(phase) from told)))
    group by unit, hour having count(*) > 1
  ), past_hours as (
    delete from unit_hours
    where rule_id = ${ruleId} and hour < (select min(hour) from several) - interval '1 day'
  ), counted_hours as (
    insert into unit_hours as kept (rule_id, hour, unit, exposures)
    select ${ruleId}::uuid, hour, unit, exposures from several order by hour, unit
    on conflict (rule_id, hour, unit) do update set exposures = kept.exposures + excluded.exposures
    returning unit, exposures
  )`

/** Joins what is known of a unit, as `was`. */
function withKnown(ruleId: string, known: UnitRules['known']): Rows {
  const ofRule = sql`select phase, unit, kind, first_at, first_id, variation_id, crossed, busy, dimensions
    from rule_units where rule_id = ${ruleId}`
  return known === 'each'
    ? sql`left join lateral (
        ${ofRule} and unit = judged.unit and phase = judged.phase and kind = judged.kind offset 0) was on true`
    : sql`left join (${ofRule} and ${known === 'all'}::boolean) was using (phase, unit, kind)`
}

/** Whether the new exposure of a unit is earlier than the known one. */
function isEarlier(told: string, was: string, kept: Date): Rows {
  const [first, known] = [told, was].map((of) => [sql.ref(`${of}.first_at`), sql.ref(`${of}.first_id`)])
  return sql`((${sql.join(first!)}) < (${sql.join(known!)}) and ${known![0]} >= ${kept}::timestamptz)`
}

/** The first portion has no conflicts, and looking for them would take time. */
function merging(kept: Date): Rows {
  const isEarliest = isEarlier('excluded', 'kept', kept)
  return sql`
    on conflict (rule_id, unit, phase, kind) do update set
      crossed = kept.crossed or excluded.crossed or kept.variation_id <> excluded.variation_id,
      busy = kept.busy or excluded.busy,
      variation_id = case when ${isEarliest} then excluded.variation_id else kept.variation_id end,
      dimensions = case when ${isEarliest} then excluded.dimensions else kept.dimensions end,
      others = case when ${isEarliest} then excluded.others else kept.others end,
      first_id = case when ${isEarliest} then excluded.first_id else kept.first_id end,
      first_at = case when ${isEarliest} then excluded.first_at else kept.first_at end`
}

/** What metrics have counted of a unit: null if it did not count. */
const ifCounted = (column: string): Rows => sql`case when not was_crossed and not was_busy then ${sql.ref(column)} end`

/**
 * Leaves out units that have come in an earlier phase: they count there. Otherwise a visitor who comes back after a change
 * of the split would count as two who are alike, and results would look surer than they are. What an exposure that comes
 * late has moved to an earlier phase is noted in `changed_units`.
 *
 * @param exposures those of one portion, after {@link addUnits}
 * @param begins for each phase, the one with which results began then
 */
export async function leaveOutReturned(
  tx: Tx,
  ruleId: string,
  exposures: Rows,
  begins: readonly number[],
): Promise<void> {
  await sql`
    with told as materialized (
      select distinct unit from (${exposures}) exposures where kind = 0
    ), returned as materialized (
      select each.* from told cross join lateral (
        select ctid, phase, unit, kind, variation_id, first_at, crossed, busy, dimensions,
          lag(phase) over (order by phase) >= (${[...begins]}::integer[])[phase] as came_before
        from rule_units where rule_id = ${ruleId} and unit = told.unit and kind = 0 offset 0) each
      where came_before
    ), gone as (
      delete from rule_units where ctid = any (array(select ctid from returned))
    ), moved as (
      select phase, kind, variation_id, first_at, crossed, busy, dimensions, -1 as change from returned
    ), ${countingUnits(ruleId)}
    insert into changed_units (rule_id, phase, unit, was_first_at, was_variation_id, was_dimensions)
    select ${ruleId}::uuid, phase, unit, first_at, variation_id, dimensions from returned
    where ${counts} and exists (select from rule_measures where rule_id = ${ruleId} and batch > 0)
    on conflict do nothing`.execute(tx)
}

/** The facts of a context. A store can hold what did not come through ingestion, which takes objects only. */
export const factsIn = (context: string) =>
  sql.raw(`jsonb_each_text(case when jsonb_typeof(${context}) = 'object' then ${context} end) fact (name, value)`)

/**
 * Selects the dimensions of facts, and the facts without a dimension of their own (null if all have one). Join it
 * laterally. Facts are looked up one by one.
 */
export const sorted = (ruleId: string, facts: string) => sql`
  select array_agg(coalesce(own, rest)) filter (where coalesce(own, rest) is not null) as dimensions,
    jsonb_object_agg(name, value) filter (where own is null) as others
  from (
    select fact.name, fact.value, (
        select dimension from rule_dimensions entered
        where rule_id = ${ruleId} and entered.name = fact.name and entered.value = fact.value and not entered.rest
      ) as own, (
        select dimension from rule_dimensions entered
        where rule_id = ${ruleId} and entered.name = fact.name and entered.value = '' and entered.rest
      ) as rest
    from ${factsIn(facts)} where ${sql.raw(facts)} is not null) each`

export const dayOf = sql`(first_at at time zone 'UTC')::date`

export const countedUnits = (ruleId: string) => sql`
  select phase, unit, variation_id, first_at, dimensions from rule_units
  where rule_id = ${ruleId} and ${counts}`

/** The first exposure before which about `limit` units come after `from`; null if no more units come after it. */
export async function endOfUnits(tx: Tx, ruleId: string, from: Date, limit: number): Promise<Date | null> {
  const { rows } = await sql<{ end: Date }>`
    select first_at as "end" from rule_units where rule_id = ${ruleId} and first_at > ${from}::timestamptz
    order by first_at offset ${limit}::integer limit 1`.execute(tx)
  return rows[0]?.end ?? null
}

/**
 * Notes units that count in `changed_units`, so that metrics count them again.
 *
 * @param units a relation with `unit`, each once
 */
export async function noteUnits(tx: Tx, ruleId: string, units: Rows): Promise<void> {
  await sql`
    insert into changed_units (rule_id, phase, unit, was_first_at, was_variation_id, was_dimensions)
    select ${ruleId}::uuid, phase, unit, first_at, variation_id, dimensions
    from (${units}) told cross join lateral (
      select phase, first_at, variation_id, dimensions from rule_units
      where rule_id = ${ruleId} and ${counts} and unit = told.unit offset 0) known
    where exists (select from rule_measures where rule_id = ${ruleId} and batch > 0)
    on conflict do nothing`.execute(tx)
}

/** Whether one of the units counts. */
export async function areCounted(db: Db, ruleId: string, units: Rows): Promise<boolean> {
  const { rows } = await sql`
    select from (${units}) told where exists (
      select from rule_units where rule_id = ${ruleId} and ${counts} and unit = told.unit) limit 1`.execute(db)
  return rows.length > 0
}

/** A page of `changed_units`: its last one. */
export interface UnitPage {
  phase: number
  unit: string
}

export async function nextChangedUnits(db: Db, ruleId: string, limit: number): Promise<UnitPage | undefined> {
  const { rows } = await sql<UnitPage>`
    select phase, unit from (
      select phase, unit from changed_units where rule_id = ${ruleId} order by phase, unit limit ${limit}) page
    order by phase desc, unit desc limit 1`.execute(db)
  return rows[0]
}

export const changedUnits = (ruleId: string, { phase, unit }: UnitPage) => sql`
  select phase, unit, was_first_at, was_variation_id, was_dimensions from changed_units
  where rule_id = ${ruleId} and (phase, unit) <= (${phase}::integer, ${unit}::text)`

export async function forgetChangedUnits(tx: Tx, ruleId: string, { phase, unit }: UnitPage): Promise<void> {
  await sql`
    delete from changed_units
    where rule_id = ${ruleId} and (phase, unit) <= (${phase}::integer, ${unit}::text)`.execute(tx)
}

/** Units by the day of their first exposure, with those that do not count. */
export interface UnitCohort extends UnitRow {
  bots: number
  overrides: number
  paused: number
}

/** Those since a phase. */
export async function readUnitCohorts(tx: Tx, ruleId: string, phase: number): Promise<UnitCohort[]> {
  const { rows } = await sql<UnitCohort>`
    select phase, variation_id as "variationId", to_char(day, 'YYYY-MM-DD') as day, units, crossed, bots, overrides,
      paused
    from unit_cohorts where rule_id = ${ruleId} and phase >= ${phase}::integer and units + crossed + bots + overrides + paused > 0
    order by phase, day, variation_id`.execute(tx)
  return rows
}

/** The rules of a project that have counted one of these units. */
export async function rulesKnowing(db: Db, projectId: string, units: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ ruleId: string }>`
    select rule_id as "ruleId" from measured_rules
    where project_id = ${projectId} and exists (
      select from rule_units where rule_units.rule_id = measured_rules.rule_id and unit = any(${[...units]}::text[]))
    order by rule_id`.execute(db)
  return rows.map(({ ruleId }) => ruleId)
}

/** From now on, these units of a rule stay as they were counted: their events are about to be deleted. */
export async function keepAsCounted(tx: Tx, ruleId: string, units: readonly string[]): Promise<void> {
  await sql`
    update rule_units set erased = true where rule_id = ${ruleId} and unit = any(${[...units]}::text[])`.execute(tx)
}

/** New names of units, in the order of their present names. */
export interface Renaming {
  units: readonly string[]
  as: readonly string[]
}

/** Gives units of a rule new names in all tables that name them. The caller has claimed the rule. */
export async function renameUnits(tx: Tx, ruleId: string, { units, as }: Renaming): Promise<void> {
  const renaming = sql`from unnest(${[...units]}::text[], ${[...as]}::text[]) named (was, becomes)
    where rule_id = ${ruleId} and unit = named.was`
  await sql`update rule_units set unit = named.becomes ${renaming}`.execute(tx)
  // The index of totals has the metric before the unit.
  await sql`
    update unit_totals set unit = named.becomes ${renaming}
      and metric_id = any(array(select metric_id from rule_measures where rule_id = ${ruleId}))`.execute(tx)
  await sql`update unit_hours set unit = named.becomes ${renaming}`.execute(tx)
  await sql`update changed_units set unit = named.becomes ${renaming}`.execute(tx)
}
