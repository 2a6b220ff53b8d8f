import {
  type ArmData,
  adjustPValues,
  betaBinomial,
  type Comparison,
  type ComparisonSettings,
  type Correction,
  comparableStrata,
  comparedArms,
  compareStrata,
  cupedEffect,
  type Figures,
  fisherExact,
  gaussianPosterior,
  guardrail,
  mergeThirdMoments,
  newcombeInterval,
  normalQuantile,
  type Stratum,
  skewnessOf,
  stratifiedArm,
  tQuantile,
  unitsForSkewness,
  wilsonInterval,
} from '@svc/stats'
import { defaultMargin, type Measured, type MeasuredMetric, type Moments, upper } from './figures.ts'
import { keptOf } from './finality.ts'
import type { ComparisonResult, MetricResult, Settings } from './schema.ts'
import { between, beyondOffset, conversionsIn, type MetricStratum, splitsOf, strataOf } from './strata.ts'

export type MetricContext = Pick<
  Measured,
  'settings' | 'variations' | 'phases' | 'metrics' | 'kept' | 'firstSignificant' | 'dataThrough'
> & {
  cohorts: readonly Moments[]
  /** Whether a test with a fixed horizon has reached it, for a metric. */
  isFinal: (metric: MeasuredMetric) => boolean
  /** Corrects all comparisons together, as breakdowns that explore need it. */
  correctTogether?: Correction
}

/** The figures of each metric, with the p-values corrected within their families. */
export function metricResults(context: MetricContext): MetricResult[] {
  const { settings, metrics, cohorts, phases, variations } = context
  if (!settings) return []
  const baseline = variations.find(({ isBaseline }) => isBaseline)
  const splits = splitsOf(phases)
  const rows = Map.groupBy(cohorts, ({ metricId }) => metricId)
  const resultOf = (metric: MeasuredMetric, ofMetric: readonly Moments[], finalAt: Date | null) => {
    const { strata } = strataOf(metric, ofMetric, {
      splits,
      variationIds: variations.map(({ variationId }) => variationId),
      cuped: settings.cuped.enabled,
    })
    const baselineId = baseline?.variationId ?? null
    return metricResult({ ...context, settings, metric, rows: ofMetric, strata, baselineId, finalAt })
  }
  const raw = metrics.map((metric) => {
    const kept = keptOf(context, metric)
    const isLook = settings.test === 'FIXED_HORIZON' && context.isFinal(metric)
    const now = resultOf(metric, rows.get(metric.metricId) ?? [], isLook ? context.dataThrough : null)
    // The bound that shows a breach is valid at any time, so harm that came after the look counts too.
    if (!kept || hasBreach(now)) return now
    const { winsorizedAt, winsorizedUnits } = kept
    return resultOf({ ...metric, winsorizedAt, winsorizedUnits }, kept.rows, kept.at)
  })
  return corrected(raw, context, settings)
}

const hasBreach = ({ variations }: MetricResult): boolean =>
  variations.some(({ comparison }) => comparison?.guardrail?.state === 'BREACHED')

/** The settings of one comparison. */
export function comparisonSettings(settings: Settings): ComparisonSettings {
  const { test, alpha, sequentialTuningParameter: tuningParameter, minUnits, minConversions } = settings
  return { test, alpha, tuningParameter, minUnits, minConversions }
}

interface MetricInput extends MetricContext {
  settings: Settings
  metric: MeasuredMetric
  /** Those of the metric. */
  rows: readonly Moments[]
  strata: readonly MetricStratum[]
  baselineId: string | null
  /** When the figures became final; null if they are not, and in a sequential test. */
  finalAt: Date | null
}

function metricResult(input: MetricInput): MetricResult {
  const { metricId, key, name, type, role, direction, unit, winsorizedAt, winsorizedUnits } = input.metric
  return {
    metricId,
    key,
    name,
    type,
    role,
    direction,
    unit,
    winsorizedAt,
    winsorizedUnits,
    finalAt: input.finalAt?.toISOString() ?? null,
    variations: input.variations.map(({ variationId }) => ({
      ...figuresOf(variationId, input),
      comparison:
        input.baselineId === null || variationId === input.baselineId
          ? null
          : comparisonOf(input.baselineId, variationId, input),
    })),
  }
}

/** A variation by itself: its units, its mean, and the interval of the mean. */
function figuresOf(variationId: string, { rows, strata, metric, settings }: MetricInput) {
  const found = strata.flatMap(({ units, arms }) => {
    const arm = arms.get(variationId)
    return arm && arm.n > 0 ? [{ share: units, arm }] : []
  })
  const arms = found.map(({ arm }) => arm)
  const { n, mean, variance } = stratifiedArm(
    arms,
    found.map(({ share }) => share),
  )
  const sum = (of: (arm: ArmData) => number) => arms.reduce((total, arm) => total + of(arm), 0)
  const ofVariation = rows.filter((row) => row.variationId === variationId)
  return {
    variationId,
    // A ratio whose denominators are all 0 has no mean, and still has its units.
    units: sum((arm) => arm.n),
    converted: conversionsIn(ofVariation) ?? null,
    sum: ofVariation.reduce((total, { sumY }) => total + sumY, 0),
    denominatorSum: metric.type === 'RATIO' ? sum((arm) => (arm.type === 'RATIO' ? arm.sumX : 0)) : null,
    mean: finite(mean),
    stddev: finite(Math.sqrt(variance)),
    ...(metric.type === 'MEAN' && skewnessIn(ofVariation)),
    ...meanInterval({
      n,
      mean,
      variance,
      isRate: metric.type === 'PROPORTION' && arms.length === 1,
      alpha: settings.alpha,
    }),
  }
}

/** How skewed the values of the units are, and how many units an interval needs for it. */
function skewnessIn(rows: readonly Moments[]) {
  const unknown = { skewness: null, unitsForSkewness: null }
  const parts = rows.map((row) => {
    const { n, m2Y: m2, m3Y } = row
    return { n, sum: beyondOffset('MEAN', row), m2, m3: m3Y ?? Number.NaN }
  })
  if (parts.length === 0) return unknown
  const skewness = skewnessOf(parts.reduce(mergeThirdMoments))
  return Number.isFinite(skewness) ? { skewness, unitsForSkewness: unitsForSkewness(skewness) } : unknown
}

function meanInterval({
  n,
  mean,
  variance,
  isRate,
  alpha,
}: {
  n: number
  mean: number
  variance: number
  isRate: boolean
  alpha: number
}) {
  if (isRate) return wilsonInterval({ n, sum: mean * n }, alpha)
  const q = n > 1 ? tQuantile(1 - alpha / 2, n - 1) : normalQuantile(1)
  const reach = q * Math.sqrt(variance / n)
  return { ciLow: finite(mean - reach), ciHigh: finite(mean + reach) }
}

function comparisonOf(baselineId: string, variationId: string, input: MetricInput): ComparisonResult {
  const { settings, strata, metric, firstSignificant } = input
  const both = between(strata, baselineId, variationId)
  const found = compareStrata(both, comparisonSettings(settings))
  const pairs = comparableStrata(both)
  const earlier = firstSignificant.find(
    (first) => first.metricId === metric.metricId && first.variationId === variationId,
  )
  return {
    status: found.status,
    baselineVariationId: baselineId,
    difference: {
      estimate: found.difference,
      standardError: found.standardError,
      ciLow: found.ciLow,
      ciHigh: found.ciHigh,
    },
    lift: { estimate: found.lift, ciLow: found.liftCiLow, ciHigh: found.liftCiHigh, method: 'FIELLER' },
    pValue: found.pValue,
    pValueAdjusted: found.pValue,
    significant: found.significant,
    criticalValue: found.criticalValue,
    // A fixed test has one look, and earlier ones of another kind of test do not count.
    firstSignificantAt: (settings.test === 'SEQUENTIAL' && earlier?.at.toISOString()) || null,
    cuped: cupedOf(pairs),
    smallCounts: smallCountsOf(pairs, found, input),
    bayesian: bayesianOf(pairs, found, metric),
    guardrail: metric.role === 'GUARDRAIL' ? guardrailOf(pairs, found, input) : null,
  }
}

function cupedOf(pairs: readonly Stratum[]): ComparisonResult['cuped'] {
  const adjusted = pairs.flatMap(({ control, treatment }) =>
    control.type === 'CUPED' && treatment.type === 'CUPED' ? [cupedEffect(control, treatment, control.theta)] : [],
  )
  const [first] = adjusted
  if (!first) return null
  // Over several strata, the reduction is that of the largest.
  const largest = adjusted.reduce((most, effect) => (effect.n > most.n ? effect : most), first)
  return { theta: first.theta, varianceReduction: finite(largest.varianceReduction) }
}

/** Whether a comparison has raw counts only. */
export const lacksData = (status: ComparisonResult['status']): boolean =>
  status === 'insufficient_data' || status === 'no_data' || status === 'invalid_input'

const cellsNeeded = 5
/** Bounds the work of the exact test. With more, one variation has many conversions, and another test sees that. */
const maxExact = 10_000

/** Figures that hold for few conversions, while there are too few for a verdict. Null for phases with different splits. */
function smallCountsOf(
  pairs: readonly Stratum[],
  { status }: Figures<Comparison>,
  { metric, settings }: MetricInput,
): ComparisonResult['smallCounts'] {
  const [only] = pairs
  const isWaiting = status === 'insufficient_data' || status === 'zero_variance'
  if (metric.type !== 'PROPORTION' || !only || pairs.length > 1 || !isWaiting) return null
  const countsOf = (arm: ArmData) => ({ n: arm.n, sum: 'sum' in arm ? arm.sum : arm.sumY })
  const [control, treatment] = [countsOf(only.control), countsOf(only.treatment)]
  const { ciLow, ciHigh } = newcombeInterval(control, treatment, settings.alpha)
  const isFew = [control, treatment].some(({ n, sum }) => sum < cellsNeeded || n - sum < cellsNeeded)
  const isExact = isFew && Math.min(control.sum + treatment.sum, control.n, treatment.n) <= maxExact
  return { ciLow, ciHigh, fisherPValue: isExact ? fisherExact(control, treatment).pValue : null }
}

function bayesianOf(
  pairs: readonly Stratum[],
  { difference, standardError }: Figures<Comparison>,
  { direction }: MeasuredMetric,
): ComparisonResult['bayesian'] {
  const lowerIsBetter = direction === 'DECREASE'
  const [only] = pairs
  const isExact =
    only && pairs.length === 1 && only.control.type === 'PROPORTION' && only.treatment.type === 'PROPORTION'
  const found = isExact
    ? betaBinomial(only.control as Rate, only.treatment as Rate, undefined, lowerIsBetter)
    : gaussianPosterior({
        estimate: difference ?? Number.NaN,
        standardError: standardError ?? Number.NaN,
        lowerIsBetter,
      })
  return {
    chanceToBeatControl: found.chanceToBeatControl,
    expectedLoss: found.expectedLossTreatment,
    expectedLossControl: found.expectedLossControl,
  }
}

type Rate = Extract<ArmData, { type: 'PROPORTION' }>

function guardrailOf(
  pairs: readonly Stratum[],
  { status }: Figures<Comparison>,
  { metric, settings, finalAt }: MetricInput,
): ComparisonResult['guardrail'] {
  const arms = comparedArms(pairs, comparisonSettings(settings))
  const found = guardrail(...arms, {
    margin: metric.nonInferiorityMargin ?? defaultMargin,
    direction: metric.direction,
    alpha: settings.alpha,
    tuningParameter: settings.sequentialTuningParameter,
    isSequential: settings.test === 'SEQUENTIAL',
  })
  // The bound of a fixed test holds for one look, at its end.
  const isEarly = settings.test === 'FIXED_HORIZON' && !finalAt && found.state === 'passed'
  const hasUnits = arms.every(({ n }) => n >= settings.minUnits)
  return {
    ...found,
    margin: found.margin ?? 0,
    state: hasUnits && !lacksData(status) && !isEarly ? upper(found.state) : 'INCONCLUSIVE',
  }
}

/**
 * Corrects the p-values. A family is the primary metrics with all treatments, corrected as the settings say. Secondary
 * metrics explore: always Benjamini and Hochberg. Guardrails are not corrected, because that would hide harm.
 */
function corrected(results: MetricResult[], context: MetricContext, settings: Settings): MetricResult[] {
  const corrections: Record<MetricResult['role'], Correction> = {
    PRIMARY: settings.correction,
    SECONDARY: 'BENJAMINI_HOCHBERG',
    GUARDRAIL: 'NONE',
  }
  const comparisons = (role?: MetricResult['role']) =>
    results
      .filter((metric) => role === undefined || metric.role === role)
      .flatMap(({ variations }) => variations.flatMap(({ comparison }) => (comparison ? [comparison] : [])))
  const families = context.correctTogether
    ? [{ family: comparisons(), correction: context.correctTogether }]
    : Object.entries(corrections).map(([role, correction]) => ({
        family: comparisons(role as MetricResult['role']),
        correction,
      }))
  const adjusted = new Map<ComparisonResult, number | null>()
  for (const { family, correction } of families) {
    const pValues = adjustPValues(
      family.map(({ pValue }) => pValue),
      correction,
    )
    for (const [i, comparison] of family.entries()) adjusted.set(comparison, pValues[i] ?? null)
  }
  return results.map((metric) => ({
    ...metric,
    variations: metric.variations.map((variation) => ({
      ...variation,
      comparison:
        variation.comparison &&
        judged(variation.comparison, adjusted.get(variation.comparison) ?? null, {
          ...settings,
          // A sequential test can be read at any time. A fixed test is read at its end, with the figures of that
          // moment.
          lookedAt:
            settings.test === 'SEQUENTIAL' ? (context.dataThrough?.toISOString() ?? null) : (metric.finalAt ?? null),
        }),
    })),
  }))
}

function judged(
  comparison: ComparisonResult,
  pValueAdjusted: number | null,
  { alpha, lookedAt }: Pick<Settings, 'alpha'> & { lookedAt: string | null },
): ComparisonResult {
  // Without the correction, `significant` says only whether there was enough data for a verdict.
  const isSignificant = comparison.significant && pValueAdjusted !== null && pValueAdjusted < alpha
  const significant = isSignificant && lookedAt !== null
  const now = significant ? lookedAt : null
  return { ...comparison, pValueAdjusted, significant, firstSignificantAt: comparison.firstSignificantAt ?? now }
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
