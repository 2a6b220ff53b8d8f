import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { maxValue, minValue, orderKeys, type Rows } from '../../events/index.ts'
import { dayOf as dayIn } from '../cohort.ts'
import { addingToCohorts, double, exactCap } from '../cohorts/queries.ts'
import type { Counted, Measure, MeasureOf, MeasureState } from '../measure.ts'
import { changedUnits, countedUnits, type KnownUnits, knownUnits, type UnitPage } from '../units/queries.ts'

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

/** What 200 lines of a million pieces can cost is below. Fourth powers are still far from the end of doubles. */
const maxOrderValue = 1e30

/**
 * The value of an event as an exact number with all of its digits. A value that ingestion no longer accepts, but stored
 * earlier, counts as 0, because its powers could be too large or too small to read. An order is worth more in a currency
 * with many zeros, and its limits are those of amounts and rates.
 */
const exactValue = sql`
  case when abs(value) between ${sql.lit(minValue)} and ${sql.lit(maxValue)}
      or event_key in (${sql.join(orderKeys.map((key) => sql.lit(key)))})
        and abs(value) between ${sql.lit(maxValue)} and ${sql.lit(maxOrderValue)}
    then value::text::numeric else 0 end`

const lookbackOf = ({ lookbackDays }: Measure) => sql`make_interval(days => ${lookbackDays}::integer)`

/** Whether an event is in the time of a unit. */
const inTime = (measure: Measure) => sql`at >= first_at - ${lookbackOf(measure)}
  and at < first_at + make_interval(hours => ${measure.windowHours}::integer)`

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
  const units = (which: Rows) => sql`
    select units.* from (${changed}) changed cross join lateral (
      ${countedUnits(ruleId)} ${which} and unit = changed.unit and phase = changed.phase offset 0) units`
  const asTheyAre = units(sql``)
  await sql`with ${addingToCohorts(of, state, withTotals(asTheyWere, -1))}`.execute(tx)
  await sql`
    delete from unit_totals using (${asTheyWere}) was
    where rule_id = ${ruleId} and metric_id = ${measure.metricId}
      and unit_totals.unit = was.unit and unit_totals.phase = was.phase and not exists (
        select from rule_units kept where kept.rule_id = ${ruleId} and kept.unit = was.unit
          and kept.phase = was.phase and kept.erased)`.execute(tx)
  // The events of an erased unit are gone, so its totals stay. Each side is computed once, and then they are joined.
  const inTheirTime = sql`
    select phase, unit, first_at, event_key, at, value from told join units using (unit) where ${inTime(measure)}`
  await sql`
    with told as materialized (${events}), units as materialized (${units(sql`and not erased`)})
    insert into unit_totals (rule_id, metric_id, unit, phase, y, d, x)
    select ${ruleId}::uuid, ${measure.metricId}::uuid, unit, phase, y, d, x
    from (${totalsOf(of, inTheirTime, sql`phase, unit`)}) totals`.execute(tx)
  await sql`with ${addingToCohorts(of, state, withTotals(asTheyAre, 1))}`.execute(tx)
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
  // Cohorts by dimension have no days, so they start over.
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
