import type {
  Measured,
  MeasuredMetric,
  Moments,
  UnitRow,
} from '../packages/server/src/wings/measuring/results/figures.ts'
import { dimensionOf, resultsOf, timeSeriesOf } from '../packages/server/src/wings/measuring/results/results.ts'

const dayMs = 86_400_000
const start = Date.UTC(2026, 0, 5)
const days = 21
const visitorsADay = 2000
const planned = 20_000
const rule = { ruleId: 'example', flagId: 'example', envId: 'example' }
const arms = [
  { variationId: 'original', key: 'original', isBaseline: true, weight: 0.5 },
  { variationId: 'short', key: 'short', isBaseline: false, weight: 0.5 },
]
/** What the test would find with all visitors of the world. */
const truth: Record<string, { buys: number; isFast: number }> = {
  original: { buys: 0.05, isFast: 0.82 },
  short: { buys: 0.0585, isFast: 0.823 },
}
/** The countries of ten visitors. */
const countries = ['DE', 'DE', 'DE', 'DE', 'NL', 'NL', 'NL', 'FR', 'FR', 'AT']
const orderValue = { least: 15, most: 85 }

const metric = {
  winsorizedAt: null,
  winsorizedUnits: 0,
  windowHours: 24,
  nonInferiorityMargin: null,
  direction: 'INCREASE' as const,
}
const metrics: MeasuredMetric[] = [
  {
    ...metric,
    metricId: 'purchase',
    key: 'purchase',
    name: 'Purchase',
    type: 'PROPORTION',
    role: 'PRIMARY',
    unit: null,
  },
  { ...metric, metricId: 'revenue', key: 'revenue', name: 'Revenue', type: 'MEAN', role: 'SECONDARY', unit: 'EUR' },
  { ...metric, metricId: 'fast', key: 'fast', name: 'Fast pages', type: 'PROPORTION', role: 'GUARDRAIL', unit: null },
]

/**
 * An example of results, for people without a test: three weeks of invented visitors, computed by the engine that
 * computes all results.
 */
export function exampleResults() {
  const visitors = invented()
  const documents = Array.from({ length: days }, (_, day) => resultsOf(asOf(day + 1, visitors)))
  const [purchase] = metrics
  const values = [...new Set(countries)].map((value) => {
    const { units, cohorts } = asOf(days, invented(value))
    const total = units.reduce((sum, row) => sum + row.units, 0)
    return { name: 'country', value, kind: 'VALUE' as const, units: total, cohorts }
  })
  return {
    ...documents.at(-1)!,
    dimension: dimensionOf(asOf(days, visitors), 'country', values),
    timeseries: timeSeriesOf(documents).map(({ asOf, metrics }) => ({
      asOf,
      metrics: metrics.filter(({ metricId }) => metricId === purchase!.metricId),
    })),
  }
}

interface Visitors {
  units: UnitRow[]
  /** By the day of the first exposure. */
  cohorts: (Moments & { day: string })[]
}

/** What was known so many days after the start. Visitors count when the day after their first exposure is over. */
function asOf(day: number, { units, cohorts }: Visitors): Measured {
  const now = new Date(start + day * dayMs)
  const isOver = (row: { day: string }, windowDays: number) => Date.parse(row.day) + windowDays * dayMs < now.getTime()
  return {
    rule: {
      ...rule,
      ruleType: 'AB_TEST',
      ruleStatus: 'RUNNING',
      sendsExposures: true,
      startedAt: new Date(start),
      endedAt: null,
    },
    generatedAt: now,
    dataThrough: now,
    settings: {
      test: 'SEQUENTIAL',
      alpha: 0.05,
      sequentialTuningParameter: 2 * planned,
      correction: 'HOLM',
      cuped: { enabled: false, lookbackDays: 14 },
      conversionWindowHours: 24,
      inProgressConversions: 'EXCLUDE',
      minUnits: 100,
      minConversions: 25,
      minRuntimeDays: 7,
    },
    plannedUnitsPerVariation: planned,
    maxUnits: null,
    variations: arms,
    phases: [{ phase: 1, startedAt: new Date(start), endedAt: null, weights: { original: 0.5, short: 0.5 } }],
    units: units.filter((row) => isOver(row, 0)),
    excluded: { bot: 14 * day, override: 3, paused: 0 },
    metrics,
    cohorts: cohorts.flatMap(({ day, ...row }) => (isOver({ day }, 1) ? [row] : [])),
    dimensions: ['country'],
    kept: [],
    firstSignificant: [],
    hasHeartbeats: true,
    lastExposureAt: now,
    served: [{ from: new Date(start), until: null }],
  }
}

/** All visitors, or those of a country. */
function invented(country?: string): Visitors {
  const [random, randomCountry] = [sequence(20_260_105), sequence(49)]
  const units: UnitRow[] = []
  const cohorts: Visitors['cohorts'] = []
  for (let at = 0; at < days; at++) {
    const day = new Date(start + at * dayMs).toISOString().slice(0, 10)
    // Fewer people come at weekends.
    const count = Math.round(visitorsADay * (at % 7 > 4 ? 0.7 : 1))
    const found = arms.map(({ variationId }) => ({ variationId, n: 0, orders: [] as number[], fast: 0 }))
    for (let visitor = 0; visitor < count; visitor++) {
      const arm = found[random() < 0.5 ? 0 : 1]!
      const { buys, isFast } = truth[arm.variationId]!
      const order = random() < buys ? orderValue.least + random() * (orderValue.most - orderValue.least) : undefined
      const wasFast = random() < isFast
      const from = countries[Math.floor(randomCountry() * countries.length)]
      if (country !== undefined && from !== country) continue
      arm.n++
      if (order !== undefined) arm.orders.push(order)
      if (wasFast) arm.fast++
    }
    for (const { variationId, n, orders, fast } of found) {
      const row = { phase: 1, variationId, day, n, sumD: 0, m2D: 0, cYD: 0, sumX: 0, m2X: 0, cYX: 0 }
      const moments = (values: readonly number[]) => {
        const sum = (power: number) => values.reduce((total, value) => total + value ** power, 0)
        const [sumY, sumYY] = [sum(1), sum(2)]
        return {
          ...{ sumY, m2Y: sumYY - sumY ** 2 / n },
          m3Y: sum(3) - (3 * sumY * sumYY) / n + (2 * sumY ** 3) / n ** 2,
        }
      }
      units.push({ phase: 1, variationId, day, units: n, crossed: at % 5 === 0 ? 1 : 0 })
      const bought = { ...row, converted: orders.length }
      cohorts.push({ ...bought, metricId: 'purchase', ...moments(orders.map(() => 1)) })
      cohorts.push({ ...bought, metricId: 'revenue', ...moments(orders) })
      cohorts.push({ ...row, converted: fast, metricId: 'fast', ...moments(Array<number>(fast).fill(1)) })
    }
  }
  return { units, cohorts }
}

/** Numbers that look random and are the same in each run. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
