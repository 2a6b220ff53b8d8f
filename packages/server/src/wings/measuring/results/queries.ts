import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { maxValue, minValue, type Rows } from '../events/index.ts'
import { type CohortRow, dayOf as dayIn, type UnitRow } from '../counting/index.ts'
import type { KeptFigures } from './figures.ts'
import type { PastRule } from '../counting/index.ts'
import type { Counts, Measure, MetricRow, StoredMeasure } from '../counting/index.ts'
import type { RecentSums, RecentVisitors } from './recent.ts'
import type { DimensionRows } from './results.ts'
import type { Dimension, HealthCheck, Results, ResultsSummary } from './schema.ts'

/** A rule whose visitors are counted. */
export interface MeasuredRule {
  ruleId: string
  projectId: string
  flagId: string
  envId: string
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
  { ruleId, projectId, flagId, envId }: Pick<MeasuredRule, 'ruleId' | 'projectId' | 'flagId' | 'envId'>,
  dueAt: Date,
): Promise<void> {
  await sql`
    insert into measured_rules (rule_id, project_id, flag_id, env_id, due_at)
    values (${ruleId}, ${projectId}, ${flagId}, ${envId}, ${dueAt}) on conflict do nothing`.execute(db)
}

const isFree = (now: Date) => sql`(leased_until is null or leased_until <= ${now})`

/** Takes the rule that is due first, for this node alone until `until`. */
export async function claimDue(db: Db, now: Date, until: Date): Promise<MeasuredRule | undefined> {
  const { rows } = await sql<MeasuredRule>`
    update measured_rules set leased_until = ${until}
    where rule_id = (
      select rule_id from measured_rules where due_at <= ${now} and ${isFree(now)}
      order by due_at limit 1 for no key update skip locked)
    returning ${columns}`.execute(db)
  return rows[0]
}

/** Takes one rule, unless a node works on it. */
export async function claimRule(db: Db, ruleId: string, now: Date, until: Date): Promise<MeasuredRule | undefined> {
  const { rows } = await sql<MeasuredRule>`
    update measured_rules set leased_until = ${until} where rule_id = ${ruleId} and ${isFree(now)}
    returning ${columns}`.execute(db)
  return rows[0]
}

/** Gives a rule back. Its next snapshot is due at `dueAt`. */
export async function release(db: Db, ruleId: string, dueAt: Date): Promise<void> {
  await sql`update measured_rules set leased_until = null, due_at = ${dueAt} where rule_id = ${ruleId}`.execute(db)
}

export async function findMeasuredRule(db: Db, ruleId: string): Promise<MeasuredRule | undefined> {
  const { rows } = await sql<MeasuredRule>`
    select ${columns} from measured_rules where rule_id = ${ruleId}`.execute(db)
  return rows[0]
}

export async function lockRule(tx: Tx, ruleId: string): Promise<MeasuredRule | undefined> {
  const { rows } = await sql<MeasuredRule>`
    select ${columns} from measured_rules where rule_id = ${ruleId} for no key update`.execute(tx)
  return rows[0]
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

/** How exposures become units. */
export interface UnitRules {
  starts: readonly Date[]
  switches: readonly Date[]
  busy: readonly string[]
  kept: Date
  /** `none`: the rule has no units yet. */
  known: KnownUnits | 'none'
}

/** How to find what is known of units: all are read, or each one is looked up. */
export type KnownUnits = 'all' | 'each'

/** A look-up takes about as long as reading this many units in a row. */
const readInOneLookUp = 8

/** The quicker way to find what is known of the units of so many events. */
export async function knownUnits(tx: Tx, ruleId: string, events: number): Promise<KnownUnits> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units + crossed + bots + overrides + paused), 0)::float8 as units
    from unit_cohorts where rule_id = ${ruleId}`.execute(tx)
  return events * readInOneLookUp > rows[0]!.units ? 'all' : 'each'
}

/** `kind` of a unit in a pause of the rule, or before its launch. Events have kinds below it. */
const paused = 3

/** A unit that counts. */
const counts = sql`kind = 0 and not crossed and not busy`

/**
 * Adds the units of `moved` to the numbers of units, or takes them away where `change` is -1. Parts of a `with` that has it:
 * phase, kind, variation_id, first_at, crossed, busy, dimensions, change.
 */
const countingUnits = (ruleId: string) => sql`counted as (
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
 * Adds exposures of a rule to its units, and to the numbers of units in cohorts. The result does not depend on the order
 * in which exposures arrive. Units that metrics have to count otherwise than before are noted in `changed_units`. The
 * caller has locked the rule, so what is known does not change meanwhile.
 *
 * @param exposures those of one portion
 * @param starts when the phases began, oldest first
 * @param switches when the rule began to serve and ended, in turn: exposures between an end and the next begin, and those
 *   that a wrong clock dates before the first begin, do not count
 * @param busy units that are not persons, see {@link busyUnits}
 * @param kept events from before may be deleted: the first exposure of a unit from before does not move any more
 */
export async function addUnits(
  tx: Tx,
  ruleId: string,
  exposures: Rows,
  { starts, switches, busy, kept, known }: UnitRules,
): Promise<void> {
  const times = (moments: readonly Date[]) => sql`${moments.map((moment) => moment.toISOString())}::timestamptz[]`
  /** Whether what is told of a unit comes before what is known of it. */
  const isEarlier = (told: string, was: string) => {
    const [first, known] = [told, was].map((of) => [sql.ref(`${of}.first_at`), sql.ref(`${of}.first_id`)])
    return sql`((${sql.join(first!)}) < (${sql.join(known!)}) and ${known![0]} >= ${kept}::timestamptz)`
  }
  const isEarliest = isEarlier('excluded', 'kept')
  const place = sql`width_bucket(at, ${times(switches)})`
  const ofRule = sql`select phase, unit, kind, first_at, first_id, variation_id, crossed, busy, dimensions
    from rule_units where rule_id = ${ruleId}`
  const was =
    known === 'each'
      ? sql`cross join lateral (
          ${ofRule} and unit = told.unit and phase = told.phase and kind = told.kind offset 0) was`
      : sql`join (${ofRule} and ${known === 'all'}::boolean) was using (phase, unit, kind)`
  // The first portion has no conflicts, and looking for them would take time.
  const merging = sql`
    on conflict (rule_id, unit, phase, kind) do update set
      crossed = kept.crossed or excluded.crossed or kept.variation_id <> excluded.variation_id,
      busy = kept.busy or excluded.busy,
      variation_id = case when ${isEarliest} then excluded.variation_id else kept.variation_id end,
      dimensions = case when ${isEarliest} then excluded.dimensions else kept.dimensions end,
      others = case when ${isEarliest} then excluded.others else kept.others end,
      first_id = case when ${isEarliest} then excluded.first_id else kept.first_id end,
      first_at = case when ${isEarliest} then excluded.first_at else kept.first_at end`
  await sql`
    with told as materialized (
      select phase, unit, kind, first_at, ids[1] as first_id, variations[1] as variation_id, facts[1] as facts,
        variations[1] <> any(variations) as crossed,
        unit = any(${[...busy]}::text[]) as busy
      from (
        select phase, unit, kind, min(at) as first_at, array_agg(id) as ids, array_agg(variation_id) as variations,
          array_agg(dimensions) as facts
        from (
          select *, hashtextextended(unit, 0) as hash from (
            select unit, at, id, variation_id, dimensions, greatest(1, width_bucket(at, ${times(starts)})) as phase,
              case when kind = 0 and ${place} % 2 = 0 then ${paused}::smallint else kind end as kind
            from (${exposures}) exposures
          ) judged
          order by hash, unit, kind, phase, at, id
        ) in_order
        group by hash, unit, kind, phase
      ) grouped
    ), known as materialized (
      select was.* from told ${was}
    ), news as (
      select told.*, found.dimensions, found.others
      from told left join known was using (phase, unit, kind)
        left join lateral (${sorted(ruleId, 'told.facts')}) found on told.facts is not null
      where was.first_at is null or ${isEarlier('told', 'was')} or (told.busy and not was.busy)
        or (not was.crossed and (told.crossed or was.variation_id <> told.variation_id))
    ), saved as (
      insert into rule_units as kept
        (rule_id, phase, unit, kind, first_at, first_id, variation_id, crossed, busy, dimensions, others)
      select ${ruleId}::uuid, phase, unit, kind, first_at, first_id, variation_id, crossed, busy, dimensions, others
      from news
      order by unit, phase, kind
      ${known === 'none' ? sql`` : merging}
      returning phase, unit, kind, first_at, variation_id, crossed, busy, dimensions
    ), moved as (
      select phase, kind, variation_id, first_at, crossed, busy, dimensions, 1 as change from saved
      union all
      select phase, kind, known.variation_id, known.first_at, known.crossed, known.busy, known.dimensions, -1
      from saved join known using (phase, unit, kind)
    ), ${countingUnits(ruleId)}
    insert into changed_units (rule_id, phase, unit, was_first_at, was_variation_id, was_dimensions)
    select ${ruleId}::uuid, phase, unit, was.first_at, was.variation_id, was.dimensions
    from saved left join (select * from known where ${counts}) was using (phase, unit, kind)
    where kind = 0 and exists (select from rule_measures where rule_id = ${ruleId} and batch > 0)
    on conflict do nothing`.execute(tx)
}

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

/**
 * Adds to the exposures that units had in an hour, and tells which units of the portion have more of them than a person
 * causes. Hours from a day before the portion are forgotten.
 */
export async function busyUnits(tx: Tx, ruleId: string, exposures: Rows, mostInHour: number): Promise<string[]> {
  const { rows } = await sql<{ unit: string }>`
    with told as materialized (
      select unit, date_trunc('hour', at) as hour, count(*)::integer as exposures
      from (${exposures}) exposures where kind = 0 group by unit, hour having count(*) > 1
    ), past as (
      delete from unit_hours
      where rule_id = ${ruleId} and hour < (select min(hour) from told) - interval '1 day'
    ), counted as (
      insert into unit_hours as kept (rule_id, hour, unit, exposures)
      select ${ruleId}::uuid, hour, unit, exposures from told order by hour, unit
      on conflict (rule_id, hour, unit) do update set exposures = kept.exposures + excluded.exposures
      returning unit, exposures
    )
    select distinct unit from counted where exposures > ${mostInHour}::integer`.execute(tx)
  return rows.map(({ unit }) => unit)
}

/** The facts of a context. A store can hold what did not come through ingestion, which takes objects only. */
const factsIn = (context: string) =>
  sql.raw(`jsonb_each_text(case when jsonb_typeof(${context}) = 'object' then ${context} end) fact (name, value)`)

/**
 * Enters values that a rule does not know yet, the most frequent of a portion first, as long as there is room, and for
 * each name the rest: what its other values count as. {@link chooseDimensions} makes room for values that grow.
 */
export async function enterDimensions(
  tx: Tx,
  ruleId: string,
  exposures: Rows,
  { names, values }: MostDimensions,
): Promise<void> {
  await sql`
    with told as (
      select name, value, count(*) as times
      from (${exposures}) exposures cross join lateral ${factsIn('dimensions')}
      where kind = 0 group by name, value
    ), known as (
      select dimension, name, value, rest from rule_dimensions where rule_id = ${ruleId}
    ), room as (
      select name from known group by name
      union all
      (select name from told where name not in (select name from known) group by name
        order by sum(times) desc, name limit greatest(0, ${names}::integer - (select count(distinct name) from known)))
    ), news as (
      select name, value, (select count(*) from known where known.name = told.name and not rest)
        + row_number() over (partition by name order by times desc, value) as place
      from told
      where name in (select name from room) and (name, value) not in (select name, value from known where not rest)
    )
    insert into rule_dimensions (rule_id, dimension, name, value, rest)
    select ${ruleId}::uuid, (select coalesce(max(dimension), 0) from known) + row_number() over (order by name, place),
      name, value, rest
    from (
      select name, value, place, false as rest from news where place <= ${values}::integer
      union all
      select name, '', 0, true from room where name not in (select name from known where rest)
    ) entered`.execute(tx)
}

interface MostDimensions {
  names: number
  values: number
}

/**
 * Of facts, the dimensions that they are, and those that have none of their own (null: all have). To be joined laterally.
 * Facts are looked up one by one.
 */
const sorted = (ruleId: string, facts: string) => sql`
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
    from ${factsIn(facts)}) each`

/** How many units a rule has, and how many it had when its values were chosen last. */
export async function unitsSinceChoice(tx: Tx, ruleId: string): Promise<{ units: number; chosenAt: number }> {
  const { rows } = await sql<{ units: number; chosenAt: number }>`
    select coalesce((select sum(units) from unit_cohorts where rule_id = ${ruleId}), 0)::float8 as units,
      coalesce((select dimensions_chosen_at from measured_rules where rule_id = ${ruleId}), 0)::float8 as "chosenAt"`.execute(
    tx,
  )
  return rows[0]!
}

export async function saveChoice(tx: Tx, ruleId: string, units: number): Promise<void> {
  await sql`update measured_rules set dimensions_chosen_at = ${units}::integer where rule_id = ${ruleId}`.execute(tx)
}

/**
 * Lets the names and values with the most units be those that have figures. Of equal ones, those stay that had them. The
 * units of values that come or go are noted in `changed_units`.
 */
export async function chooseDimensions(tx: Tx, ruleId: string, { names, values }: MostDimensions): Promise<void> {
  const { rows: moves } = await sql<{ dimension: number | null; name: string; value: string; rest: boolean }>`
    with known as (
      select dimension, name, value, rest, coalesce((
        select sum(units) from dimension_units counted where rule_id = ${ruleId} and counted.dimension = named.dimension
      ), 0) as units
      from rule_dimensions named where rule_id = ${ruleId}
    ), counted as materialized (
      select name, value, sum(units) as units, max(dimension) as dimension from (
        select name, value, units, dimension from known where not rest
        union all
        select name, value, count(*), null
        from rule_units cross join lateral ${factsIn('others')}
        where rule_id = ${ruleId} and ${counts} group by name, value
      ) each group by name, value
    ), best_names as (
      select name from counted group by name
      order by sum(units) desc, (max(dimension) is not null) desc, name limit ${names}::integer
    ), best as (
      select * from (
        select *, row_number() over (
          partition by name order by units desc, (dimension is not null) desc, value collate "C") as place
        from counted where name in (select name from best_names)
      ) each where place <= ${values}::integer
    )
    select null as dimension, name, value, false as rest from best where dimension is null
    union all
    select dimension, name, value, rest from known
    where case when rest then name not in (select name from best_names)
      else (name, value) not in (select name, value from best) end`.execute(tx)
  const coming = moves.filter(({ dimension }) => dimension === null)
  const going = moves.filter(({ dimension }) => dimension !== null)
  if (coming.length === 0) return
  const goingIds = going.map(({ dimension }) => dimension)
  const goingValues = going.filter(({ rest }) => !rest)
  const ofGoing = {
    ids: goingValues.map(({ dimension }) => dimension),
    names: goingValues.map(({ name }) => name),
    values: goingValues.map(({ value }) => value),
  }
  const ofComing = { names: coming.map(({ name }) => name), values: coming.map(({ value }) => value) }
  await sql`
    with last as materialized (
      select coalesce(max(dimension), 0) as dimension from rule_dimensions where rule_id = ${ruleId}
    ), gone as (
      delete from rule_dimensions where rule_id = ${ruleId} and dimension = any(${goingIds}::integer[])
    ), news as (
      select name, value, false as rest
      from unnest(${ofComing.names}::text[], ${ofComing.values}::text[]) coming (name, value)
      union all
      select distinct name, '', true from unnest(${ofComing.names}::text[]) coming (name)
      where not exists (
        select from rule_dimensions known where rule_id = ${ruleId} and known.name = coming.name and rest)
    )
    insert into rule_dimensions (rule_id, dimension, name, value, rest)
    select ${ruleId}::uuid, (select dimension from last) + row_number() over (order by name, value, rest), name, value, rest
    from news`.execute(tx)
  await sql`
    with going as materialized (
      select * from unnest(${ofGoing.ids}::integer[], ${ofGoing.names}::text[], ${ofGoing.values}::text[])
        going (dimension, name, value)
    ), coming as materialized (
      select * from unnest(${ofComing.names}::text[], ${ofComing.values}::text[]) coming (name, value)
    ), affected as materialized (
      select phase, unit, kind, first_at, variation_id, crossed, busy, dimensions, others
      from rule_units
      where rule_id = ${ruleId} and (dimensions && ${goingIds}::integer[] or exists (
        select from ${factsIn('others')} where (fact.name, fact.value) in (select name, value from coming)
          or fact.name in (select name from coming) and not exists (
            select from rule_dimensions rest where rule_id = ${ruleId} and rest.name = fact.name and rest.rest
              and rest.dimension = any(dimensions))))
    ), told as (
      select affected.*, coalesce(others, '{}') || coalesce((
          select jsonb_object_agg(name, value) from going where dimension = any(dimensions)
        ), '{}') as facts
      from affected
    ), placed as materialized (
      select told.*, array(
          select kept from unnest(told.dimensions) kept
          where kept <> all(${goingIds}::integer[])
            and kept not in (select dimension from rule_dimensions where rule_id = ${ruleId} and rest)
        ) || found.dimensions as new_dimensions, found.others as new_others
      from told cross join lateral (${sorted(ruleId, 'told.facts')}) found
    ), saved as (
      update rule_units set dimensions = new_dimensions, others = new_others from placed
      where rule_id = ${ruleId} and rule_units.unit = placed.unit and rule_units.phase = placed.phase
        and rule_units.kind = placed.kind
    ), moved as (
      select phase, kind, variation_id, first_at, crossed, busy, new_dimensions as dimensions, 1 as change from placed
      union all
      select phase, kind, variation_id, first_at, crossed, busy, dimensions, -1 from placed
    ), ${countingUnits(ruleId)}
    insert into changed_units (rule_id, phase, unit, was_first_at, was_variation_id, was_dimensions)
    select ${ruleId}::uuid, phase, unit, first_at, variation_id, dimensions from placed
    where ${counts} and exists (select from rule_measures where rule_id = ${ruleId} and batch > 0)
    on conflict do nothing`.execute(tx)
}

const dayOf = sql`(first_at at time zone 'UTC')::date`

/** Notes how far the exposures have been read, and when a visitor was seen last. */
export async function saveProgress(tx: Tx, ruleId: string, batch: number, exposures: Rows): Promise<void> {
  await sql`
    update measured_rules set batch = ${batch}::bigint, last_exposure_at = greatest(last_exposure_at,
      (select max(at) from (${exposures}) exposures where kind = 0))
    where rule_id = ${ruleId}`.execute(tx)
}

export async function lastExposureAt(tx: Tx, ruleId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select last_exposure_at as at from measured_rules where rule_id = ${ruleId}`.execute(tx)
  return rows[0]?.at ?? null
}

/**
 * Lets the transaction sort and hash in memory, and keeps its planner from joining in nested loops, except for look-ups
 * that are written as such. Without statistics, as for the partition of a new day, it expects few rows, and the time would grow with the
 * product of both sides. The planner counts such a look-up as very expensive, so it would compile every statement.
 */
export const joinByHash = (tx: Tx) =>
  sql`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`.execute(
    tx,
  )

/** A metric of a rule, and how far its events were read. */
export interface MeasureState extends StoredMeasure {
  batch: number
  /** Units count if their first exposure is from here. */
  countedFrom: Date
  /** And before this moment. */
  countedUntil: Date
}

/** Which metric of which rule. */
export interface MeasureOf {
  ruleId: string
  envId: string
  measure: Measure
  /** When the rule was first served. */
  servedSince: Date
}

/** The keys of the events that a metric counts. */
export const trackedKeysOf = ({ envId, measure: { eventKey, denominator } }: MeasureOf) => ({
  envId,
  eventKeys: [...new Set([eventKey, ...(denominator ? [denominator.eventKey] : [])])],
})

/**
 * What units did in events, added up: y, d and x as in `unit_totals`.
 *
 * @param events unit, event_key, at, value, phase and first_at: what each unit did in its time, once for each phase
 * @param columns of a unit, to group by
 */
function totalsOf({ measure, servedSince }: MeasureOf, events: Rows, columns: Rows): Rows {
  const { type, eventKey, valueFrom, denominator, lookbackDays } = measure
  const total = (key: string, source: 'value' | null, when: Rows) => {
    const amount = source && type !== 'PROPORTION' ? exactValue : sql`1::numeric`
    return sql`coalesce(sum(${amount}) filter (where event_key = ${key} and ${when}), 0)`
  }
  const none = sql`0::numeric`
  const during = sql`at >= first_at`
  // A unit of a later phase may have had a variation before, and done something because of it.
  const before = sql`at < first_at and (phase = 1 or at < ${servedSince}::timestamptz)`
  return sql`
    select ${columns}, ${total(eventKey, valueFrom, during)} as y,
      ${denominator ? total(denominator.eventKey, denominator.valueFrom, during) : none} as d,
      ${lookbackDays > 0 ? total(eventKey, valueFrom, before) : none} as x
    from (${events}) events group by ${columns}`
}

/**
 * The value of an event as an exact number with all of its digits. One that ingestion does not take, stored before it
 * refused or rounded such values, counts as 0: its powers could be too large or too small to read.
 */
const exactValue = sql`
  case when abs(value) between ${sql.lit(minValue)} and ${sql.lit(maxValue)} then value::text::numeric else 0 end`

/** An exact number as the nearest double. PostgreSQL has no double that is closer to 0, and fails. */
const double = (exact: string) => sql.raw(`(case when abs(${exact}) < 1e-300 then 0 else ${exact} end)::float8`)

const lookbackOf = ({ lookbackDays }: Measure) => sql`make_interval(days => ${lookbackDays}::integer)`

/** Whether an event is in the time of a unit. */
const inTime = (measure: Measure) => sql`at >= first_at - ${lookbackOf(measure)}
  and at < first_at + make_interval(hours => ${measure.windowHours}::integer)`

const countedUnits = (ruleId: string) => sql`
  select phase, unit, variation_id, first_at, dimensions from rule_units
  where rule_id = ${ruleId} and ${counts}`

/**
 * Adds new events to the totals of their units, and what that changes to cohorts.
 *
 * @param known how to find the units
 */
export async function addEvents(
  tx: Tx,
  of: MeasureOf,
  state: MeasureState,
  events: Rows,
  known: KnownUnits,
): Promise<void> {
  const { ruleId, measure } = of
  const units =
    known === 'each'
      ? sql`cross join lateral (${countedUnits(ruleId)} and unit = told.unit offset 0) units`
      : sql`join (${countedUnits(ruleId)}) units using (unit)`
  const inTheirTime = sql`
    select phase, told.unit, variation_id, first_at, dimensions, event_key, at, value
    from told ${units} where ${inTime(measure)}`
  const before = (column: string) => sql`saved.${sql.ref(column)} - added.${sql.ref(column)} as ${sql.ref(column)}`
  await sql`
    with told as materialized (${events}), added as materialized (
      ${totalsOf(of, inTheirTime, sql`phase, unit, variation_id, first_at, dimensions`)}
    ), saved as (
      insert into unit_totals as kept (rule_id, metric_id, unit, phase, y, d, x)
      select ${ruleId}::uuid, ${measure.metricId}::uuid, unit, phase, y, d, x from added
      order by unit, phase
      on conflict (rule_id, metric_id, unit, phase) do update set
        y = kept.y + excluded.y, d = kept.d + excluded.d, x = kept.x + excluded.x
      returning unit, phase, y, d, x
    ), ${addingToCohorts(
      of,
      state,
      sql`
        select phase, variation_id, first_at, dimensions, saved.y, saved.d, saved.x, 1 as change
        from added join saved using (unit, phase)
        union all
        select phase, variation_id, first_at, dimensions, ${before('y')}, ${before('d')}, ${before('x')}, -1
        from added join saved using (unit, phase)`,
    )}`.execute(tx)
}

/** The tables of cohorts, and what they tell apart besides phases and variations. */
const byDay = { table: sql.table('metric_cohorts'), key: sql.ref('day') }
const byDimension = { table: sql.table('dimension_cohorts'), key: sql.ref('dimension') }

/**
 * Adds units to cohorts, or takes them from cohorts where `change` is -1. A statement without its first `with`.
 *
 * @param units phase, variation_id, first_at, dimensions, y, d, x (null: no events) and change
 */
function addingToCohorts({ ruleId, measure }: MeasureOf, { countedFrom, countedUntil }: Counted, units: Rows): Rows {
  const { metricId, type } = measure
  const value = (column: 'y' | 'x') =>
    type === 'PROPORTION'
      ? sql`(coalesce(${sql.ref(column)}, 0) > 0)::integer::numeric`
      : sql`coalesce(${sql.ref(column)}, 0)`
  const adding = ({ table, key }: typeof byDay, rows: Rows) => sql`
    insert into ${table} as kept (rule_id, metric_id, phase, variation_id, ${key}, n, converted, ${sql.raw(sums.join(', '))})
    select ${ruleId}::uuid, ${metricId}::uuid, phase, variation_id, ${key}, sum(change), sum(change * (y <> 0)::integer),
      sum(change * y), sum(change * y * y), sum(change * y * y * y),
      sum(change * d), sum(change * d * d), sum(change * y * d),
      sum(change * x), sum(change * x * x), sum(change * y * x)
    from (
      select phase, variation_id, ${key}, y, d, x, sum(change) as change from (${rows}) counted
      group by phase, variation_id, ${key}, y, d, x
    ) alike
    group by phase, variation_id, ${key}
    on conflict (rule_id, metric_id, phase, variation_id, ${key}) do update set
      n = kept.n + excluded.n, converted = kept.converted + excluded.converted, ${sql.raw(sums.map((name) => `${name} = kept.${name} + excluded.${name}`).join(', '))}`
  return sql`
    changes as materialized (
      select phase, variation_id, ${dayOf} as day, dimensions, ${value('y')} as y, coalesce(d, 0) as d,
        ${value('x')} as x, change
      from (${units}) units
      where first_at >= ${countedFrom}::timestamptz and first_at < ${countedUntil}::timestamptz
    ), split as (
      ${adding(byDimension, sql`select *, unnest(dimensions) as dimension from changes`)}
    )
    ${adding(byDay, sql`select * from changes`)}`
}

type Counted = Pick<MeasureState, 'countedFrom' | 'countedUntil'>

/**
 * Lets the units count whose first exposure is from `countedFrom` to before `countedUntil`.
 *
 * Their totals are found like known units.
 */
export async function countUnits(tx: Tx, of: MeasureOf, counted: Counted): Promise<void> {
  const { ruleId, measure } = of
  const isCounted = sql`first_at >= ${counted.countedFrom}::timestamptz and first_at < ${counted.countedUntil}::timestamptz`
  const { rows } = await sql<{ units: number }>`
    select count(*)::float8 as units from rule_units where rule_id = ${ruleId} and ${isCounted}`.execute(tx)
  const ofMetric = sql`select unit, phase, y, d, x from unit_totals
    where rule_id = ${ruleId} and metric_id = ${measure.metricId}`
  const totals =
    (await knownUnits(tx, ruleId, rows[0]!.units)) === 'each'
      ? sql`left join lateral (${ofMetric} and unit = units.unit and phase = units.phase offset 0) totals on true`
      : sql`left join (${ofMetric}) totals using (unit, phase)`
  await sql`with ${addingToCohorts(
    of,
    counted,
    sql`
      select units.phase, variation_id, first_at, dimensions, y, d, x, 1 as change
      from (${countedUnits(ruleId)} and ${isCounted}) units ${totals}`,
  )}`.execute(tx)
}

/** Before which first exposure about `limit` units, or all that there are, come after `from`; null: all do. */
export async function endOfUnits(tx: Tx, ruleId: string, from: Date, limit: number): Promise<Date | null> {
  const { rows } = await sql<{ end: Date }>`
    select first_at as "end" from rule_units where rule_id = ${ruleId} and first_at > ${from}::timestamptz
    order by first_at offset ${limit}::integer limit 1`.execute(tx)
  return rows[0]?.end ?? null
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

const changedUnits = (ruleId: string, { phase, unit }: UnitPage) => sql`
  select phase, unit, was_first_at, was_variation_id, was_dimensions from changed_units
  where rule_id = ${ruleId} and (phase, unit) <= (${phase}::integer, ${unit}::text)`

/** The units of a page that count, and since when their events do, as `EventStore.trackedOfUnits` takes them. */
export const unitsToRead = ({ ruleId, measure }: MeasureOf, page: UnitPage): Rows => sql`
  select changed.unit, min(first_at) - ${lookbackOf(measure)} as since
  from (${changedUnits(ruleId, page)}) changed cross join lateral (
    ${countedUnits(ruleId)} and unit = changed.unit and phase = changed.phase offset 0) units
  group by changed.unit`

/**
 * Counts the units of a page as they are now, instead of as they were.
 *
 * @param events what they did
 */
export async function recount(tx: Tx, of: MeasureOf, state: MeasureState, page: UnitPage, events: Rows): Promise<void> {
  const { ruleId, measure } = of
  const changed = changedUnits(ruleId, page)
  const withTotals = (units: Rows, change: 1 | -1) => sql`
    select units.phase, variation_id, first_at, dimensions, y, d, x, ${sql.lit(change)} as change
    from (${units}) units left join lateral (
      select y, d, x from unit_totals where rule_id = ${ruleId} and metric_id = ${measure.metricId}
        and unit = units.unit and phase = units.phase offset 0) totals on true`
  const asTheyWere = sql`
    select phase, unit, was_variation_id as variation_id, was_first_at as first_at, was_dimensions as dimensions
    from (${changed}) changed
    where was_first_at is not null`
  const asTheyAre = sql`
    select units.* from (${changed}) changed cross join lateral (
      ${countedUnits(ruleId)} and unit = changed.unit and phase = changed.phase offset 0) units`
  await sql`with ${addingToCohorts(of, state, withTotals(asTheyWere, -1))}`.execute(tx)
  await sql`
    delete from unit_totals using (${asTheyWere}) was
    where rule_id = ${ruleId} and metric_id = ${measure.metricId}
      and unit_totals.unit = was.unit and unit_totals.phase = was.phase`.execute(tx)
  // Each side is computed once, and then they are joined.
  const inTheirTime = sql`
    select phase, unit, first_at, event_key, at, value from told join units using (unit) where ${inTime(measure)}`
  await sql`
    with told as materialized (${events}), units as materialized (${asTheyAre})
    insert into unit_totals (rule_id, metric_id, unit, phase, y, d, x)
    select ${ruleId}::uuid, ${measure.metricId}::uuid, unit, phase, y, d, x
    from (${totalsOf(of, inTheirTime, sql`phase, unit`)}) totals`.execute(tx)
  await sql`with ${addingToCohorts(of, state, withTotals(asTheyAre, 1))}`.execute(tx)
}

export async function forgetChangedUnits(tx: Tx, ruleId: string, { phase, unit }: UnitPage): Promise<void> {
  await sql`
    delete from changed_units
    where rule_id = ${ruleId} and (phase, unit) <= (${phase}::integer, ${unit}::text)`.execute(tx)
}

/**
 * The size above which the total of a unit is cut: a quantile of the sizes of totals other than 0, over all variations,
 * since a phase. By size, because totals can be negative: the cut is at the far ends and never moves a 0.
 */
export async function capOf(
  tx: Tx,
  { ruleId, measure: { metricId, winsorizeAt } }: MeasureOf,
  { countedFrom, countedUntil }: Counted,
  phase: number,
): Promise<{ cap: number | null; capped: number }> {
  const { rows } = await sql<{ cap: number | null; capped: number }>`
    with totals as materialized (
      select abs(y) as size from unit_totals join (${countedUnits(ruleId)}) units using (unit, phase)
      where rule_id = ${ruleId} and metric_id = ${metricId} and y <> 0 and phase >= ${phase}::integer
        and first_at >= ${countedFrom}::timestamptz and first_at < ${countedUntil}::timestamptz
    ), quantile as (
      select percentile_cont(${winsorizeAt}::float8) within group (order by ${double('size')}) as cap from totals)
    select cap, (select count(*) from totals where size > ${exactCap})::integer as capped from quantile`.execute(tx)
  return rows[0]!
}

const exactCap = sql`cap::text::numeric`

export async function readMeasures(db: Db, ruleId: string): Promise<MeasureState[]> {
  const { rows } = await sql<MeasureState>`
    select measure, cap, capped, batch, counted_from as "countedFrom", counted_until as "countedUntil"
    from rule_measures where rule_id = ${ruleId}`.execute(db)
  return rows
}

/** Forgets what was computed for a metric, except for cohorts from before `countedFrom`. */
export async function forgetMeasure(tx: Tx, ruleId: string, metricId: string, countedFrom: Date): Promise<void> {
  const ofMetric = sql`rule_id = ${ruleId} and metric_id = ${metricId}`
  await sql`delete from rule_measures where ${ofMetric}`.execute(tx)
  await sql`delete from unit_totals where ${ofMetric}`.execute(tx)
  // Those by dimension have no days: they begin anew.
  await sql`delete from dimension_cohorts where ${ofMetric}`.execute(tx)
  await sql`delete from metric_cohorts where ${ofMetric} and day >= ${dayIn(countedFrom)}::date`.execute(tx)
}

export async function saveMeasure(
  tx: Tx,
  ruleId: string,
  { measure, cap, capped, batch, countedFrom, countedUntil }: MeasureState,
): Promise<void> {
  await sql`
    insert into rule_measures (rule_id, metric_id, measure, cap, capped, batch, counted_from, counted_until)
    values (${ruleId}, ${measure.metricId}, ${JSON.stringify(measure)}::jsonb, ${cap}, ${capped}, ${batch},
      ${countedFrom}, ${countedUntil})
    on conflict (rule_id, metric_id) do update set
      measure = excluded.measure, cap = excluded.cap, capped = excluded.capped, batch = excluded.batch,
      counted_from = excluded.counted_from, counted_until = excluded.counted_until`.execute(tx)
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

/** The statistics of cohorts, since a phase. */
export async function readMetricCohorts(
  tx: Tx,
  ruleId: string,
  { phase, metricIds }: { phase: number; metricIds: readonly string[] },
): Promise<CohortRow[]> {
  const { rows } = await sql<CohortRow>`
    select ${statistics}, to_char(day, 'YYYY-MM-DD') as day
    from (${cohortsOf(ruleId, metricIds, byDay, dayOf)}) cohorts where phase >= ${phase}::integer
    order by metric_id, phase, day, variation_id`.execute(tx)
  return rows
}

export async function dimensionNames(db: Db, ruleId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from rule_dimensions where rule_id = ${ruleId} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const sums = ['y', 'yy', 'yyy', 'd', 'dd', 'yd', 'x', 'xx', 'yx'].map((name) => `sum_${name}`)

/**
 * The largest values of each dimension, or of one, with the statistics of their units, since a phase. What is left of
 * the units follows, so that the rows add up: those with another value, and those with none.
 */
export async function readDimensions(
  tx: Tx,
  ruleId: string,
  {
    phase,
    values,
    metricIds,
    name,
  }: { phase: number; values: number; metricIds: readonly string[]; name: string | null },
): Promise<DimensionRows[]> {
  const [other, none] = [values + 1, values + 2]
  const unknown = (column: string) =>
    sql.raw(`case when count(*) = count(${column}) then sum(${column}) end as ${column}`)
  const added = sql.join(['n', 'converted', ...sums].map(unknown))
  const less = sql.join(
    ['n', 'converted', ...sums].map((column) =>
      sql.raw(`case when told.n is null then whole.${column} else whole.${column} - told.${column} end`),
    ),
  )
  const { rows } = await sql<DimensionRows>`
    with counted as (
      select dimension, name, value, rest, coalesce(units, 0) as units
      from rule_dimensions left join (
        select dimension, sum(units)::integer as units from dimension_units
        where rule_id = ${ruleId} and phase >= ${phase}::integer group by dimension
      ) of_value using (dimension)
      where rule_id = ${ruleId} and (${name}::text is null or name = ${name}::text)
    ), placed as materialized (
      select dimension, name, value, units, case when rest then ${other}::integer
        else least(${other}::integer, row_number() over (
          partition by name, rest order by units desc, value collate "C")) end as place
      from counted
    ), shown as (
      select name, place, min(value) as value, sum(units) as units from placed group by name, place
      union all
      select name, ${none}::integer, null, (
          select coalesce(sum(units), 0) from unit_cohorts where rule_id = ${ruleId} and phase >= ${phase}::integer
        ) - sum(units)
      from placed group by name
    ), of_value as materialized (
      select name, place, metric_id, phase, variation_id, ${sql.raw(['n', 'converted', ...sums].join(', '))}
      from (${cohortsOf(ruleId, metricIds, byDimension, sql`unnest(dimensions)`)}) cohorts join placed using (dimension)
      where phase >= ${phase}::integer
    ), whole as materialized (
      select metric_id, phase, variation_id, ${added}
      from (${cohortsOf(ruleId, metricIds, byDay, dayOf)}) cohorts join (
        select metric_id, (counted_from at time zone 'UTC')::date as first_day
        from rule_measures where rule_id = ${ruleId}
      ) measures using (metric_id)
      where phase >= ${phase}::integer and day >= first_day group by metric_id, phase, variation_id
    ), cohorts as (
      select name, place, metric_id, phase, variation_id, ${added}
      from of_value group by name, place, metric_id, phase, variation_id
      union all
      select name, ${none}::integer, metric_id, phase, variation_id, ${less}
      from (select distinct name from placed) names cross join whole left join (
        select name, metric_id, phase, variation_id, ${added}
        from of_value group by name, metric_id, phase, variation_id
      ) told using (name, metric_id, phase, variation_id)
    ), listed as (
      select name, place, jsonb_agg(row order by "metricId", phase, "variationId") as cohorts
      from (select name, place, ${statistics} from cohorts where n > 0) row group by name, place
    )
    select name, case place when ${other}::integer then '(other)' when ${none}::integer then '(none)' else value end as value,
      case place when ${other}::integer then 'OTHER' when ${none}::integer then 'NONE' else 'VALUE' end as kind,
      units::float8 as units, coalesce(cohorts, '[]') as cohorts
    from shown left join listed using (name, place) where units > 0 order by name, place`.execute(tx)
  return rows
}

/** What the results of a cohort are computed from. */
const statistics = (() => {
  // Exact, because the difference of two large sums would be lost in floating point.
  const centred = (sum: string, one: string, other: string) => double(`((n * ${sum} - ${one} * ${other}) / n)`)
  const third = `((n::numeric * n * sum_yyy - 3 * n * sum_y * sum_yy + 2 * sum_y * sum_y * sum_y) / (n::numeric * n))`
  return sql`
    metric_id as "metricId", phase, variation_id as "variationId", n, converted::float8 as converted,
    ${double('sum_y')} as "sumY", ${centred('sum_yy', 'sum_y', 'sum_y')} as "m2Y", ${double(third)} as "m3Y",
    ${double('sum_d')} as "sumD", ${centred('sum_dd', 'sum_d', 'sum_d')} as "m2D",
    ${centred('sum_yd', 'sum_y', 'sum_d')} as "cYD",
    ${double('sum_x')} as "sumX", ${centred('sum_xx', 'sum_x', 'sum_x')} as "m2X",
    ${centred('sum_yx', 'sum_y', 'sum_x')} as "cYX"`
})()

/**
 * The sums of cohorts. What is larger than the cap of a metric is cut here, because each new unit can move the cap. A
 * negative total keeps its sign.
 *
 * @param metricIds those whose cohorts are read
 * @param keyOf the key of the table, of a unit
 */
const cohortsOf = (
  ruleId: string,
  metricIds: readonly string[],
  { table, key }: typeof byDay,
  keyOf: Rows,
): Rows => sql`
  with cut as (
    select metric_id, phase, variation_id, ${key}, sum(kept - y) as sum_y, sum(kept * kept - y * y) as sum_yy,
      sum(kept * kept * kept - y * y * y) as sum_yyy, sum((kept - y) * x) as sum_yx
    from (
      select metric_id, units.phase, variation_id, ${keyOf} as ${key}, sign(y) * cap as kept, y, x
      from (
        select metric_id, ${exactCap} as cap, counted_from, counted_until from rule_measures
        where rule_id = ${ruleId} and cap is not null and metric_id = any(${[...metricIds]}::uuid[])
      ) measures
        join (select * from unit_totals where rule_id = ${ruleId}) totals using (metric_id)
        cross join lateral (
          ${countedUnits(ruleId)} and unit = totals.unit and phase = totals.phase offset 0) units
      where abs(y) > cap and first_at >= counted_from and first_at < counted_until
    ) above
    group by metric_id, phase, variation_id, ${key}
  )
  select metric_id, phase, variation_id, ${key}, n, converted, kept.sum_y + coalesce(cut.sum_y, 0) as sum_y,
    kept.sum_yy + coalesce(cut.sum_yy, 0) as sum_yy, kept.sum_yyy + coalesce(cut.sum_yyy, 0) as sum_yyy,
    sum_d, sum_dd, sum_yd, sum_x, sum_xx, kept.sum_yx + coalesce(cut.sum_yx, 0) as sum_yx
  from ${table} kept left join cut using (metric_id, phase, variation_id, ${key})
  where rule_id = ${ruleId} and n > 0 and metric_id = any(${[...metricIds]}::uuid[])`

/** Notes what is wrong with the results of a rule: a sentence; null if nothing is. */
export async function noteFailing(tx: Tx, ruleId: string, failure: string | null, now: Date): Promise<void> {
  await sql`
    update measured_rules set failure = ${failure}::text,
      failing_since = case when ${failure}::text is not null then coalesce(failing_since, ${now}) end
    where rule_id = ${ruleId} and failure is distinct from ${failure}::text`.execute(tx)
}

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

/** Keeps figures. Those that are kept already stay, unless they are of an earlier phase or of a metric that counted otherwise. */
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

/** Of the failures that were told, by check. */
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
        where each ->> 'status' = 'FAILED'), '[]')) as health
    from unnest(${[...ruleIds]}::uuid[]) asked (rule_id)
      cross join lateral (
        select document from snapshots where snapshots.rule_id = asked.rule_id order by as_of desc limit 1) newest
      cross join lateral json_to_record(newest.document) as told ("generatedAt" text, "dataThrough" text,
        "runtimeDays" float8, units json, health json, progress json, recommendation json)`.execute(db)
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

export async function readMetrics(db: Db, projectId: string, keys: readonly string[]): Promise<MetricRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<MetricRow>`
    select id, key, name, type, event_key as "eventKey", value_from as "valueFrom", denominator, direction, unit,
      conversion_window_hours as "conversionWindowHours", winsorize_at as "winsorizeAt",
      non_inferiority_margin as "nonInferiorityMargin"
    from metrics where project_id = ${projectId} and key = any(${[...keys]}::text[])`.execute(db)
  return rows
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
    select rule_id as "ruleId", flags.id as "flagId", flags.key as "flagKey", sum(units)::float8 as units,
      to_char(min(day) filter (where units > 0), 'YYYY-MM-DD') as "firstDay"
    from measured_rules join flags on flags.id = flag_id join unit_cohorts using (rule_id)
    where measured_rules.project_id = ${projectId} and env_id = ${envId} and day >= ${from}::date and day < ${until}::date
    group by rule_id, flags.id having sum(units) > 0 order by rule_id`.execute(db)
  return rows
}

/** The sums of these metrics over the new visitors of each rule of an environment. */
export async function recentSums(
  db: Db,
  { projectId, envId, from, until }: RecentOf,
  metrics: readonly { id: string; openFrom: string }[],
): Promise<RecentSums[]> {
  const ids = metrics.map(({ id }) => id)
  const days = metrics.map(({ openFrom }) => openFrom)
  const { rows } = await sql<RecentSums>`
    select rule_id as "ruleId", flags.id as "flagId", flags.key as "flagKey", metric_id as "metricId",
      day < open_from as "isClosed",
      sum(n)::float8 as n, ${double('sum(sum_y)')} as "sumY", ${double('sum(sum_yy)')} as "sumYy",
      ${double('sum(sum_d)')} as "sumD", ${double('sum(sum_dd)')} as "sumDd", ${double('sum(sum_yd)')} as "sumYd"
    from measured_rules join flags on flags.id = flag_id join metric_cohorts using (rule_id)
      join unnest(${ids}::uuid[], ${days}::date[]) asked (metric_id, open_from) using (metric_id)
    where measured_rules.project_id = ${projectId} and env_id = ${envId} and day >= ${from}::date and day < ${until}::date
    group by rule_id, flags.id, metric_id, day < open_from having sum(n) > 1 order by rule_id, metric_id`.execute(db)
  return rows
}
