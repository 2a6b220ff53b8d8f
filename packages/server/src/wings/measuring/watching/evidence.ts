import { srmOfPeriods } from '@svc/stats'
import type { Dimension } from '../results/index.ts'

/** A revision that changed the flag. */
export interface PublishedRevision {
  revision: number
  publishedAt: Date
}

/** The last revision until a moment; null if there is none. `revisions` are the oldest first. */
export const lastUntil = (revisions: readonly PublishedRevision[], moment: Date): PublishedRevision | null =>
  revisions.findLast(({ publishedAt }) => publishedAt <= moment) ?? null

/** Units that were first seen while a revision was the newest, by phase and variation. */
export interface UnitsOfRevision {
  /** Place of the revision in the list, from 0. */
  place: number
  phase: number
  variationId: string
  units: number
}

export type Weights = Readonly<Record<string, number>>

/**
 * The revision since which the split is the least likely. The units of before were split as they should be, so they only
 * dilute what came after: the evidence is strongest where exactly they are left out.
 */
export function mismatchSince(
  revisions: readonly PublishedRevision[],
  rows: readonly UnitsOfRevision[],
  weightsOf: ReadonlyMap<number, Weights>,
): PublishedRevision | null {
  let found: PublishedRevision | null = null
  let most = Number.NEGATIVE_INFINITY
  for (const [place, revision] of revisions.entries()) {
    const later = rows.filter((row) => row.place >= place)
    const evidence = misfit(
      [...weightsOf].map(([phase, weights]) => ({
        weights,
        rows: later.filter((row) => row.phase === phase),
      })),
    )
    if (evidence > most) {
      most = evidence
      found = revision
    }
  }
  return found
}

/** New units of a day and a variation with one value of a dimension, such as `country` = `DE`. */
export interface DimensionUnits {
  name: string
  value: string
  variationId: string
  day: string
  units: number
}

/** With fewer units, a value proves nothing. */
const minUnitsPerVariation = 8

/** The value of a dimension whose units fit the weights the least. Null if no value has enough units. */
export function worstSplit(rows: readonly DimensionUnits[], weights: Weights) {
  const arms = Object.keys(weights).filter((id) => weights[id]! > 0)
  const all = arms.reduce((sum, id) => sum + weights[id]!, 0)
  const values = byValue(rows).flatMap(({ name, value, rows }) => {
    const units = total(rows)
    if (units < minUnitsPerVariation * arms.length) return []
    const variations = arms.map((id) => ({
      id,
      units: total(rows.filter(({ variationId }) => variationId === id)),
      expected: (units * weights[id]!) / all,
    }))
    return [{ name, value, variations, evidence: misfit([{ weights, rows }]) }]
  })
  const worst = most(values, ({ evidence }) => evidence)
  return worst && { name: worst.name, value: worst.value, variations: worst.variations }
}

/** The value of a dimension that lost the most, in standard deviations of the median of the days before. */
export function worstDrop(rows: readonly DimensionUnits[], days: { previous: readonly string[]; last: string }) {
  const values = byValue(rows).flatMap(({ name, value, rows }) => {
    const unitsOn = (day: string) => total(rows.filter((row) => row.day === day))
    const expected = median(days.previous.map(unitsOn))
    const observed = unitsOn(days.last)
    return observed < expected ? [{ name, value, observed, expected }] : []
  })
  return most(values, ({ observed, expected }) => (expected - observed) / Math.sqrt(expected))
}

/** The value of a dimension for which a guardrail is the most clearly worse. Null if it is worse for none. */
export function worstGuardrail(dimensions: readonly Dimension[], metricId: string, variationId: string) {
  const values = dimensions.flatMap(({ name, values }) =>
    values.flatMap(({ value, kind = 'VALUE', metrics }) => {
      if (kind !== 'VALUE') return []
      const metric = metrics.find((each) => each.metricId === metricId)
      const variation = metric?.variations.find((each) => each.variationId === variationId)
      const { contrast = null, lowerBound = null, upperBound = null } = variation?.comparison?.guardrail ?? {}
      if (!variation || contrast === null) return []
      const harm = metric?.direction === 'DECREASE' ? contrast : -contrast
      return harm > 0
        ? [{ name, value, contrast, lowerBound, upperBound, evidence: harm * Math.sqrt(variation.units) }]
        : []
    }),
  )
  // Not by the standard error: that of a few visitors who are all alike is 0.
  const worst = most(values, ({ evidence }) => evidence)
  if (!worst) return null
  const { evidence: _evidence, ...shown } = worst
  return shown
}

/**
 * The last complete day (UTC), and the days that it is compared with: the same weekday of the 4 weeks before, and until
 * there is one, the days before.
 *
 * @param begin from the day after it on, days are complete
 */
export function daysBefore(moment: Date, begin: Date): { previous: string[]; last: string; since: Date; until: Date } {
  const until = new Date(Math.floor(moment.getTime() / dayMs) * dayMs)
  const day = (ago: number) => new Date(until.getTime() - ago * dayMs)
  const name = (date: Date) => date.toISOString().slice(0, 10)
  const complete = (ages: readonly number[]) => ages.filter((ago) => name(day(ago)) > name(begin))
  const weekdays = complete([29, 22, 15, 8])
  const ages = weekdays.length > 0 ? weekdays : complete([8, 7, 6, 5, 4, 3, 2])
  return { previous: ages.map((ago) => name(day(ago))), last: name(day(1)), since: day(ages[0] ?? 1), until }
}

const dayMs = 86_400_000

/** How unlikely a split is, comparable between different numbers of phases: standard deviations of chi-square. */
function misfit(
  periods: readonly { weights: Weights; rows: readonly { variationId: string; units: number }[] }[],
): number {
  const { chi2, df } = srmOfPeriods(
    periods.map(({ weights, rows }) => {
      const arms = Object.keys(weights)
      const observed = arms.map((id) => total(rows.filter(({ variationId }) => variationId === id)))
      return { weights: arms.map((id) => weights[id]!), observed }
    }),
  )
  return chi2 === null || !df ? Number.NEGATIVE_INFINITY : (chi2 - df) / Math.sqrt(2 * df)
}

function byValue<Row extends { name: string; value: string }>(rows: readonly Row[]) {
  const groups = Map.groupBy(rows, ({ name, value }) => JSON.stringify([name, value]))
  return [...groups.values()].map((group) => ({ name: group[0]!.name, value: group[0]!.value, rows: group }))
}

const total = (rows: readonly { units: number }[]): number => rows.reduce((sum, { units }) => sum + units, 0)

function most<Item>(items: readonly Item[], of: (item: Item) => number): Item | null {
  return items.reduce<Item | null>((best, item) => (best === null || of(item) > of(best) ? item : best), null)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
