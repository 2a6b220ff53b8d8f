import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/index.ts'
import type { Rows } from '../../events/index.ts'
import type { DimensionRows, Moments } from '../cohort.ts'
import type { Counted, MeasureOf } from '../measure.ts'
import { countedUnits, dayOf } from '../units/queries.ts'

/** The tables of cohorts, and what they distinguish besides phases and variations. */
const byDay = { table: sql.table('metric_cohorts'), key: sql.ref('day') }

const byDimension = { table: sql.table('dimension_cohorts'), key: sql.ref('dimension') }

const sums = ['y', 'yy', 'yyy', 'd', 'dd', 'yd', 'x', 'xx', 'yx'].map((name) => `sum_${name}`)
/** Cohorts as one. What is unknown of one of them is unknown. */
const added = sql.join(
  ['n', 'converted', ...sums].map((column) =>
    sql.raw(`case when count(*) = count(${column}) then sum(${column}) end as ${column}`),
  ),
)

/** An exact number as the nearest double. PostgreSQL has no double that is closer to 0, and fails. */
export const double = (exact: string) => sql.raw(`(case when abs(${exact}) < 1e-300 then 0 else ${exact} end)::float8`)

export const exactCap = sql`cap::text::numeric`

/**
 * Adds units to cohorts, or takes them from cohorts where `change` is -1. A statement without its first `with`.
 *
 * @param units phase, variation_id, first_at, dimensions, y, d, x (null: no events) and change
 */
export function addingToCohorts(
  { ruleId, measure }: MeasureOf,
  { countedFrom, countedUntil }: Counted,
  units: Rows,
): Rows {
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

/** The day from which each metric counts units whose events are kept. Cohorts of earlier days stay as they are. */
const firstDays = (ruleId: string) => sql`
  select metric_id, (counted_from at time zone 'UTC')::date as first_day from rule_measures where rule_id = ${ruleId}`

/** The statistics of the units of each variation, of all days of a phase, since a phase. */
export async function readMetricCohorts(
  tx: Tx,
  ruleId: string,
  { phase, metricIds }: { phase: number; metricIds: readonly string[] },
): Promise<Moments[]> {
  const { rows } = await sql<Moments>`
    select ${statistics}, earlier::float8 as earlier from (${withOffsets(sql`
      select metric_id, phase, variation_id, ${added}, coalesce(sum(n) filter (where day < first_day), 0) as earlier
      from (${cohortsOf(ruleId, metricIds, byDay, dayOf)}) cohorts join (${firstDays(ruleId)}) measures using (metric_id)
      where phase >= ${phase}::integer
      group by metric_id, phase, variation_id`)}) cohorts
    order by metric_id, phase, variation_id`.execute(tx)
  return rows
}

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
      from (${cohortsOf(ruleId, metricIds, byDay, dayOf)}) cohorts join (${firstDays(ruleId)}) measures using (metric_id)
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
      from (
        select name, place, ${statistics} from (${withOffsets(sql`select * from cohorts where n > 0`)}) cohorts
      ) row group by name, place
    )
    select name, case place when ${other}::integer then '(other)' when ${none}::integer then '(none)' else value end as value,
      case place when ${other}::integer then 'OTHER' when ${none}::integer then 'NONE' else 'VALUE' end as kind,
      units::float8 as units, coalesce(cohorts, '[]') as cohorts
    from shown left join listed using (name, place) where units > 0 order by name, place`.execute(tx)
  return rows
}

/**
 * Cohorts with the amount that is subtracted from each y, the same for all cohorts of a metric: an offset, which a
 * ratio multiplies by the denominator. Exact, because in floating point the means of large values would lose their
 * differences in rounding.
 */
const withOffsets = (cohorts: Rows): Rows => sql`
  select *, sum_y - y_offset * case when is_ratio then sum_d else n end as beyond_y, sum_x - x_offset * n as beyond_x,
    case when is_ratio then sum_yy - 2 * y_offset * sum_yd + y_offset * y_offset * sum_dd else sum_yy end as beyond_yy,
    case when is_ratio then sum_yd - y_offset * sum_dd else sum_yd end as beyond_yd
  from (
    select *, coalesce(all_y / nullif(case when is_ratio then all_d else all_n end, 0), 0) as y_offset,
      all_x / all_n as x_offset
    from (
      select *, sum(sum_dd) over metric > 0 as is_ratio, sum(n) over metric as all_n, sum(sum_y) over metric as all_y,
        sum(sum_d) over metric as all_d, sum(sum_x) over metric as all_x
      from (${cohorts}) cohorts window metric as (partition by metric_id)
    ) summed
  ) placed`

/** What the results of a cohort are computed from, of `withOffsets`. */
const statistics = (() => {
  // Exact, because the difference of two large sums would be lost in floating point.
  const centred = (sum: string, one: string, other: string) => double(`((n * ${sum} - ${one} * ${other}) / n)`)
  // A ratio has its own.
  const numerator = `case when is_ratio then beyond_y else sum_y end`
  const third = `((n::numeric * n * sum_yyy - 3 * n * sum_y * sum_yy + 2 * sum_y * sum_y * sum_y) / (n::numeric * n))`
  return sql`
    metric_id as "metricId", phase, variation_id as "variationId", n::float8 as n, converted::float8 as converted,
    ${double('sum_y')} as "sumY", ${double('y_offset')} as "offset", ${double('beyond_y')} as "beyondY",
    ${centred('beyond_yy', numerator, numerator)} as "m2Y", ${double(third)} as "m3Y",
    ${double('sum_d')} as "sumD", ${centred('sum_dd', 'sum_d', 'sum_d')} as "m2D",
    ${centred('beyond_yd', numerator, 'sum_d')} as "cYD",
    ${double('sum_x')} as "sumX", ${double('beyond_x')} as "beyondX", ${centred('sum_xx', 'sum_x', 'sum_x')} as "m2X",
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
