import type { Comparison, Dimension, MetricResult, Results } from './figures.ts'
import { results as example } from './verdict-cases.ts'

/**
 * The results of a test as a shop has them: three variations, eight metrics of every type, one of which no lift can be
 * given for, and a guardrail that one variation breaches. The estimates are invented; the intervals follow from them.
 */

interface Effect {
  lift: number
  /** The standard error of the lift. */
  error: number
  guardrail?: NonNullable<Comparison['guardrail']>['state']
}

interface Told extends Pick<MetricResult, 'name' | 'type' | 'role' | 'direction' | 'unit'> {
  mean: number
  /** Of the second and of the third variation. Null without a lift. */
  effects: readonly [Effect, Effect]
}

export const ids = ['original', 'short', 'long'] as const
const units = [12_402, 12_377, 12_455]
const critical = 3.04
const margin = 0.02

const metrics: readonly Told[] = [
  {
    ...{ name: 'Order paid', type: 'PROPORTION', role: 'PRIMARY', direction: 'INCREASE', unit: null, mean: 0.0474 },
    effects: [
      { lift: 0.162, error: 0.031 },
      { lift: 0.021, error: 0.031 },
    ],
  },
  {
    ...{ name: 'Revenue per visitor', type: 'MEAN', role: 'PRIMARY', direction: 'INCREASE', unit: 'EUR', mean: 2.3812 },
    effects: [
      { lift: 0.134, error: 0.04 },
      { lift: -0.158, error: 0.041 },
    ],
  },
  {
    ...{ name: 'Page errors', type: 'PROPORTION', role: 'GUARDRAIL', direction: 'DECREASE', unit: null, mean: 0.0213 },
    effects: [
      { lift: 0.041, error: 0.03, guardrail: 'INCONCLUSIVE' },
      { lift: 0.284, error: 0.06, guardrail: 'BREACHED' },
    ],
  },
  {
    ...{ name: 'Time to load', type: 'MEAN', role: 'GUARDRAIL', direction: 'DECREASE', unit: 'ms', mean: 841 },
    effects: [
      { lift: -0.012, error: 0.004, guardrail: 'PASSED' },
      { lift: 0.003, error: 0.004, guardrail: 'PASSED' },
    ],
  },
  {
    ...{ name: 'Order value', type: 'RATIO', role: 'SECONDARY', direction: 'INCREASE', unit: 'EUR', mean: 50.21 },
    effects: [
      { lift: -0.024, error: 0.021 },
      { lift: -0.176, error: 0.02 },
    ],
  },
  {
    ...{ name: 'Cart filled', type: 'PROPORTION', role: 'SECONDARY', direction: 'INCREASE', unit: null, mean: 0.1243 },
    effects: [
      { lift: 0.082, error: 0.018 },
      { lift: 0.011, error: 0.018 },
    ],
  },
  {
    ...{ name: 'Refund asked', type: 'PROPORTION', role: 'SECONDARY', direction: 'DECREASE', unit: null, mean: 0.0011 },
    effects: [
      { lift: 0.35, error: 0.45 },
      { lift: -0.21, error: 0.38 },
    ],
  },
]

const guardrailOf = (state: NonNullable<Effect['guardrail']>): Comparison['guardrail'] => ({
  ...{ margin, state, pValueNonInferior: state === 'PASSED' ? 0.001 : 0.4 },
  ...{ contrast: 0, lowerBound: -0.01, upperBound: 0.01 },
})

/** @param share of all visitors, from 0 to 1 */
function comparisonOf({ lift, error, guardrail }: Effect, mean: number, direction: Told['direction'], share = 1) {
  const wide = error / Math.sqrt(share)
  const [low, high] = [lift - critical * wide, lift + critical * wide]
  const significant = low > 0 || high < 0
  const good = direction === 'DECREASE' ? -lift : lift
  const comparison: Comparison = {
    ...{ status: 'ok', baselineVariationId: ids[0], significant, criticalValue: critical, cuped: null },
    difference: { estimate: lift * mean, standardError: wide * mean, ciLow: low * mean, ciHigh: high * mean },
    lift: { estimate: lift, ciLow: low, ciHigh: high, method: 'FIELLER' },
    ...{ pValue: significant ? 0.0021 : 0.371, pValueAdjusted: significant ? 0.0042 : 0.742 },
    firstSignificantAt: significant ? example.generatedAt : null,
    smallCounts: null,
    bayesian: {
      chanceToBeatControl: 1 / (1 + Math.exp((-1.7 * good) / wide)),
      ...{ expectedLoss: 0, expectedLossControl: 0 },
    },
    guardrail: guardrail ? guardrailOf(guardrail) : null,
  }
  return comparison
}

function metricOf({ effects, mean: baseline, ...told }: Told, share = 1): MetricResult {
  const key = told.name.toLowerCase().replaceAll(' ', '_')
  return {
    ...{ ...told, key, metricId: key, winsorizedAt: null, winsorizedUnits: 0, finalAt: null, waitingUnits: 1_166 },
    variations: ids.map((variationId, place) => {
      const effect = effects[place - 1]
      const mean = baseline * (1 + (effect?.lift ?? 0))
      const counted = Math.round(units[place]! * share)
      return {
        ...{ variationId, mean, units: counted, sum: Math.round(counted * mean), stddev: mean },
        ...(told.type === 'PROPORTION' && { converted: Math.round(counted * mean) }),
        denominatorSum: told.type === 'RATIO' ? Math.round(counted * 0.05) : null,
        ...{ ciLow: mean * 0.95, ciHigh: mean * 1.05 },
        comparison: effect ? comparisonOf(effect, baseline, told.direction, share) : null,
      }
    }),
  }
}

const total = units.reduce((sum, each) => sum + each, 0)
const dayMs = 86_400_000
const days = 16

/** How much of each estimate was seen on a day: it settles, as real ones do. */
const settling = (day: number): number => 1 + Math.sin(day * 1.7) / (day + 1)

const timeseries = Array.from({ length: days }, (_, at) => ({
  asOf: new Date(Date.parse(example.generatedAt) - (days - 1 - at) * dayMs).toISOString(),
  metrics: metrics.map(({ effects, ...told }) =>
    metricOf(
      {
        ...told,
        effects: effects.map(({ lift, ...effect }) => ({ ...effect, lift: lift * settling(at) })) as [Effect, Effect],
      },
      (at + 1) / days,
    ),
  ),
}))

const shareOf = (value: string, kind: 'VALUE' | 'OTHER' | 'NONE', share: number): Dimension['values'][number] => ({
  ...{ value, kind, units: Math.round(total * share) },
  metrics: metrics.map((told) => metricOf(told, share)),
})

export const shopDimension: Dimension = {
  name: 'country',
  values: [
    shareOf('DE', 'VALUE', 0.42),
    shareOf('NL', 'VALUE', 0.27),
    shareOf('BE', 'VALUE', 0.16),
    shareOf('', 'OTHER', 0.09),
    shareOf('', 'NONE', 0.06),
  ],
}

export const shopResults: Results = {
  ...example,
  units: {
    total,
    excluded: { crossover: 10, bot: 294, override: 3, paused: 0 },
    variations: ids.map((variationId, place) => ({
      ...{ variationId, key: variationId, isBaseline: place === 0, weight: 1 / 3, expectedShare: 1 / 3 },
      ...{ units: units[place]!, share: units[place]! / total },
    })),
  },
  metrics: metrics.map((told) => metricOf(told)),
  timeseries,
  progress: {
    ...{ plannedUnitsPerVariation: 31_235, stage: 'COLLECTING', measuredUnits: 12_377, fraction: 0.396 },
    ...{ estimatedDaysRemaining: 24, minimumDetectableLift: 0.09 },
  },
  recommendation: {
    ...{ action: 'REVIEW', variationId: null },
    reasons: ['PRIMARY_BETTER', 'GUARDRAIL_BREACHED'],
    breached: [{ metricId: 'page_errors', name: 'Page errors', variationId: 'long' }],
  },
} as Results
