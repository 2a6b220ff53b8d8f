import type { DimensionRows } from '../counting/index.ts'
import { progressOf, recommendationOf } from './advice.ts'
import { engineVersion, type Measured, type MeasuredMetric, sum, type UnitRow } from './figures.ts'
import { countedUnits, isJudged, stageOf, unitsIn } from './finality.ts'
import { healthOf } from './health.ts'
import { metricResults } from './metric-results.ts'
import type { Dimension, MetricResult, Results } from './schema.ts'
import { splitsOf } from './strata.ts'

const dayMs = 86_400_000

/** The results of a rule. The same rows give the same bytes. */
export function resultsOf(measured: Measured): Results {
  const { rule, generatedAt, dataThrough, settings } = measured
  const runtimeDays = runtimeDaysOf(measured)
  const isFinal = (metric: MeasuredMetric) => isJudged(measured, metric)
  const metrics = rule.sendsExposures ? withWaiting(measured, metricResults({ ...measured, isFinal })) : []
  const health = healthOf(measured)
  return {
    ruleId: rule.ruleId,
    flagId: rule.flagId,
    envId: rule.envId,
    ruleType: rule.ruleType,
    ruleStatus: rule.ruleStatus,
    generatedAt: generatedAt.toISOString(),
    dataThrough: dataThrough?.toISOString() ?? null,
    startedAt: rule.startedAt?.toISOString() ?? null,
    endedAt: rule.endedAt?.toISOString() ?? null,
    runtimeDays: Math.round(runtimeDays * 10) / 10,
    engineVersion,
    settings,
    units: unitsOf(measured),
    health,
    metrics,
    ...(hasParts(measured) && { setAside: partsOf(measured) }),
    dimensions: [...measured.dimensions],
    progress: progressOf(measured, metrics),
    recommendation: recommendationOf(measured, { health, metrics, runtimeDays }),
  }
}

/** With the visitors who count later. There are none where visitors count at once, or where the figures are final. */
const withWaiting = (measured: Measured, metrics: readonly MetricResult[]): MetricResult[] =>
  metrics.map((result) => {
    const metric = measured.metrics.find(({ metricId }) => metricId === result.metricId)
    const countsAtOnce = measured.settings?.inProgressConversions === 'INCLUDE'
    if (!metric || countsAtOnce || result.finalAt) return { ...result, waitingUnits: 0 }
    const all = sum(countedUnits(measured, metric), unitsIn)
    return { ...result, waitingUnits: Math.max(0, all - sum(result.variations, ({ units }) => units)) }
  })

const hasParts = ({ setAside = [] }: Measured): boolean => setAside.length > 0

/** What was set aside, as people name it. */
const partsOf = ({ setAside = [], metrics }: Pick<Measured, 'setAside' | 'metrics'>) =>
  setAside.map(({ kind, id }) => ({
    kind,
    name: (kind === 'METRIC' && metrics.find(({ metricId }) => metricId === id)?.key) || id,
  }))

function unitsOf({ units, excluded, variations, phases }: Measured): Results['units'] {
  const total = sum(units, (row) => row.units)
  const expected = expectedShares(units, splitsOf(phases), total)
  return {
    total,
    excluded: { crossover: sum(units, (row) => row.crossed), ...excluded },
    variations: variations.map(({ variationId, key, isBaseline, weight }) => {
      const found = sum(units, (row) => (row.variationId === variationId ? row.units : 0))
      return {
        variationId,
        key,
        isBaseline,
        weight,
        expectedShare: expected(variationId) ?? weight,
        units: found,
        share: total === 0 ? null : found / total,
      }
    }),
  }
}

/** The share that a variation should have of all units, after the splits of all phases. Undefined without units. */
function expectedShares(units: readonly UnitRow[], splits: ReturnType<typeof splitsOf>, total: number) {
  const parts = splits.map(({ phases, weights }) => ({
    weights,
    share: sum(units, (row) => (phases.has(row.phase) ? row.units : 0)) / total,
  }))
  return (variationId: string) =>
    total === 0 ? undefined : sum(parts, ({ weights, share }) => share * (weights[variationId] ?? 0))
}

/** Days in which the rule ran, pauses left out. */
function runtimeDaysOf({ served, generatedAt }: Measured): number {
  return sum(served, ({ from, until }) => (until ?? generatedAt).getTime() - from.getTime()) / dayMs
}

/**
 * The figures of the values of a dimension, the largest first. They explore: the p-values of all values are corrected together,
 * and no recommendation follows from them.
 */
export function dimensionOf(measured: Measured, name: string, rows: readonly DimensionRows[]): Dimension {
  const isFinal = stageOf(measured, measured.metrics) === 'FINAL'
  const judged = measured.metrics.filter((metric) => isFinal && isJudged(measured, metric)).map(({ key }) => key)
  const largest = rows.filter((row) => row.name === name)
  const metrics = metricResults({
    ...measured,
    isFinal: ({ key }) => judged.includes(key),
    firstSignificant: [],
    correctTogether: 'BENJAMINI_HOCHBERG',
    // One list, so that one correction covers them all. The place of a value comes before the id of the metric.
    metrics: largest.flatMap((_, i) =>
      measured.metrics.map((metric) => ({ ...metric, metricId: `${i} ${metric.metricId}` })),
    ),
    cohorts: largest.flatMap(({ cohorts }, i) => cohorts.map((row) => ({ ...row, metricId: `${i} ${row.metricId}` }))),
  })
  return {
    name,
    values: largest.map(({ value, kind, units }, i) => ({
      value,
      kind,
      units,
      metrics: metrics
        .slice(i * measured.metrics.length, (i + 1) * measured.metrics.length)
        .map((metric) => ({ ...metric, metricId: metric.metricId.replace(/^\d+ /, '') })),
    })),
  }
}

export interface TimeSeriesRow {
  asOf: string
  metrics: MetricResult[]
}

/** One row a day, the last one of each, from results as they were frozen. So history says what people could see then. */
export function timeSeriesOf(frozen: readonly Pick<Results, 'dataThrough' | 'metrics'>[]): TimeSeriesRow[] {
  const byDay = new Map<string, TimeSeriesRow>()
  const rows = frozen.flatMap(({ dataThrough, metrics }) =>
    dataThrough === null ? [] : [{ asOf: dataThrough, metrics }],
  )
  for (const row of rows.sort((a, b) => (a.asOf < b.asOf ? -1 : 1))) byDay.set(row.asOf.slice(0, 10), row)
  return [...byDay.values()]
}
