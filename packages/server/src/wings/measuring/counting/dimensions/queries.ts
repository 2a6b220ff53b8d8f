import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Rows } from '../../events/index.ts'
import { countingUnits, counts, factsIn, sorted } from '../units/queries.ts'

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
      where kind = 0 and dimensions is not null group by name, value
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
 * Lets the names and values with the most units be those that have figures. Among equals, the values that had figures
 * keep them. The units of values that come or go are noted in `changed_units`.
 */
export async function chooseDimensions(tx: Tx, ruleId: string, most: MostDimensions): Promise<void> {
  const moves = await findMoves(tx, ruleId, most)
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
  await replaceDimensions(tx, ruleId, goingIds, ofComing)
  await moveUnits(tx, ruleId, goingIds, ofGoing, ofComing)
}

/** A value that comes, which has no dimension yet, or one that goes. */
interface Move {
  dimension: number | null
  name: string
  value: string
  rest: boolean
}

type GoingIds = readonly Move['dimension'][]

interface Values {
  names: readonly string[]
  values: readonly string[]
}

async function findMoves(tx: Tx, ruleId: string, { names, values }: MostDimensions): Promise<Move[]> {
  const { rows } = await sql<Move>`
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
  return rows
}

async function replaceDimensions(tx: Tx, ruleId: string, goingIds: GoingIds, ofComing: Values): Promise<void> {
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
}

/** Sorts the units of values that come or go anew. */
async function moveUnits(
  tx: Tx,
  ruleId: string,
  goingIds: GoingIds,
  ofGoing: Values & { ids: GoingIds },
  ofComing: Values,
): Promise<void> {
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

export async function dimensionNames(db: Db, ruleId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from rule_dimensions where rule_id = ${ruleId} order by name`.execute(db)
  return rows.map(({ name }) => name)
}
