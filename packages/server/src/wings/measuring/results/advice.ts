import { type ArmVerdict, alphaOfOne, compareStrata, decide, progress, relativeMde } from '@svc/stats'
import { type Measured, sum } from './figures.ts'
import {
  areGuardrailsOpen,
  type CountedUnits,
  countedUnits,
  keptOf,
  smallestMeasured,
  stageOf,
  stageOfTest,
  unitsIn,
  unitsOf,
} from './finality.ts'
import { completeDays } from './health.ts'
import { comparisonSettings, lacksData } from './metric-results.ts'
import type { ComparisonResult, MetricResult, ReasonCode, Results } from './schema.ts'
import { between, splitsOf, strataOf } from './strata.ts'

const power = 0.8
const ratedDays = 7
const hoursPerDay = 24
const dayMs = 86_400_000
/** Puts a treatment without a lift, because the baseline is 0, behind all with one. */
const unknownLift = 1e-9

/** How far a test is, from the visitors that the metrics which decide have measured. Null for a delivery. */
export function progressOf(measured: Measured, metrics: readonly MetricResult[]): Results['progress'] {
  const { settings, plannedUnitsPerVariation } = measured
  if (!settings) return null
  const measuredUnits = smallestMeasured(measured)
  return {
    plannedUnitsPerVariation,
    stage: stageOfTest(measured),
    measuredUnits,
    fraction: progress(measuredUnits, plannedUnitsPerVariation),
    estimatedDaysRemaining: daysRemaining(measured),
    minimumDetectableLift: detectableLift(measured, metrics),
  }
}

/** What to do with the test, and why. Advice only: a person declares the winner. Null for a delivery. */
export function recommendationOf(
  measured: Measured,
  { health, metrics, runtimeDays }: Pick<Results, 'health' | 'metrics' | 'runtimeDays'>,
): Results['recommendation'] {
  const { settings } = measured
  if (!settings) return null
  const breached = breachesIn(metrics)
  const isUrgent = health.status === 'FAILED' || breached.length > 0
  if (measured.units.length === 0 && !isUrgent) return keepRunning('NO_EXPOSURES')
  const primary = metrics.filter(({ role }) => role === 'PRIMARY')
  if (primary.length === 0 && !isUrgent) return keepRunning('NO_PRIMARY_METRIC')
  const stage = stageOfTest(measured)
  const guardrailsOpen = areGuardrailsOpen(measured)
  const arms = measured.variations
    .filter(({ isBaseline, variationId, weight }) => !isBaseline && (weight > 0 || hasUnits(measured, variationId)))
    .map(({ variationId }) => verdictOf(variationId, metrics))
  const { recommendation, variation, runnerUp } = decide({
    health: health.status.toLowerCase(),
    runtimeDays,
    minRuntimeDays: settings.minRuntimeDays,
    plannedSampleReached: stage === 'FINAL',
    guardrailsOpen,
    arms,
  })
  const isCollecting = primary.every(({ variations }) =>
    variations.every(({ comparison }) => comparison === null || lacksData(comparison.status)),
  )
  const isBetter = ({ primarySignificantAdjusted, primaryLift }: ArmVerdict) =>
    primarySignificantAdjusted && (primaryLift ?? 0) > 0
  const isWorse = ({ primarySignificantAdjusted, primaryLift }: ArmVerdict) =>
    primarySignificantAdjusted && (primaryLift ?? 0) < 0
  const why = (reason: ReasonCode, holds: boolean): ReasonCode[] => (holds ? [reason] : [])
  const harm = why('GUARDRAIL_BREACHED', breached.length > 0)
  const isInconclusive = arms.some((arm) => isBetter(arm) && arm.ownGuardrails === 'inconclusive')
  const reasons: Record<typeof recommendation, ReasonCode[]> = {
    unhealthy: [...why('HEALTH_FAILED', health.status === 'FAILED'), ...harm],
    keep_running: [
      ...why('NOT_ENOUGH_DATA', isCollecting),
      ...why('MIN_RUNTIME_NOT_REACHED', runtimeDays < settings.minRuntimeDays),
      stage === 'FINAL' && guardrailsOpen && arms.some(isBetter) ? 'WINDOWS_OPEN' : reached[stage],
    ],
    ship: [
      'PRIMARY_BETTER',
      ...why(
        'GUARDRAILS_PASSED',
        metrics.some(({ role }) => role === 'GUARDRAIL'),
      ),
      ...why('TIE', runnerUp !== null && variation !== null && isTie(measured, metrics, variation, runnerUp)),
      ...harm,
    ],
    review: [
      ...why('PRIMARY_BETTER', arms.some(isBetter)),
      ...why(
        'PRIMARY_WORSE',
        arms.some((arm) => arm.isMixed || (breached.length > 0 && isWorse(arm))),
      ),
      ...harm,
      ...why('GUARDRAIL_INCONCLUSIVE', isInconclusive),
    ],
    rollback: [...why('PRIMARY_WORSE', arms.some(isWorse)), ...harm],
    no_effect: [...why('NOT_ENOUGH_DATA', isCollecting), 'PLANNED_SAMPLE_REACHED'],
  }
  return {
    action: recommendation.toUpperCase() as NonNullable<Results['recommendation']>['action'],
    variationId: variation,
    reasons: reasons[recommendation],
    breached,
  }
}

/** The reason that goes with each stage. */
const reached = {
  COLLECTING: 'PLANNED_SAMPLE_NOT_REACHED',
  WINDOWS_OPEN: 'WINDOWS_OPEN',
  FINAL: 'PLANNED_SAMPLE_REACHED',
} as const

function keepRunning(reason: ReasonCode): Results['recommendation'] {
  return { action: 'KEEP_RUNNING', variationId: null, reasons: [reason], breached: [] }
}

/** The guardrail metrics that are proven to be worse, by variation. */
export const breachesIn = (metrics: readonly MetricResult[]) =>
  metrics.flatMap(({ metricId, name, variations }) =>
    variations.flatMap(({ variationId, comparison }) =>
      comparison?.guardrail?.state === 'BREACHED' ? [{ metricId, name, variationId }] : [],
    ),
  )

const hasUnits = ({ units }: Measured, variationId: string): boolean =>
  units.some((row) => row.variationId === variationId && row.units > 0)

/**
 * A treatment is better if a primary metric is better and none is worse. If some are better and some worse, people must
 * review it.
 */
function verdictOf(variationId: string, metrics: readonly MetricResult[]) {
  const comparisons = metrics.flatMap(({ role, direction, variations }) => {
    const comparison = variations.find((variation) => variation.variationId === variationId)?.comparison
    return comparison ? [{ role, comparison, lift: goodLift(comparison, direction) }] : []
  })
  const significant = comparisons.filter(({ role, comparison }) => role === 'PRIMARY' && comparison.significant)
  const better = significant.filter(({ lift }) => lift > 0)
  const isMixed = better.length > 0 && better.length < significant.length
  const states = comparisons.flatMap(({ comparison }) => (comparison.guardrail ? [comparison.guardrail.state] : []))
  const own = states.includes('BREACHED') ? 'breached' : states.includes('INCONCLUSIVE') ? 'inconclusive' : 'passed'
  return {
    variation: variationId,
    primarySignificantAdjusted: significant.length > 0,
    primaryLift: (better[0] ?? significant[0])?.lift ?? 0,
    guardrails: isMixed && own === 'passed' ? ('inconclusive' as const) : (own as ArmVerdict['guardrails']),
    ownGuardrails: own as ArmVerdict['guardrails'],
    isMixed,
  }
}

/** Positive if the treatment is better, also where a decrease is good. */
function goodLift({ lift, difference }: ComparisonResult, direction: MetricResult['direction']): number {
  const change = lift.estimate ?? Math.sign(difference.estimate ?? 0) * unknownLift
  return direction === 'DECREASE' ? -change : change
}

/** Whether the two best variations do not differ from each other on the first primary metric. */
function isTie(measured: Measured, metrics: readonly MetricResult[], best: string, second: string): boolean {
  const { settings, phases, variations, cohorts } = measured
  const metric = metrics.find(({ role }) => role === 'PRIMARY')
  if (!settings || !metric) return false
  const rows = keptOf(measured, metric)?.rows ?? cohorts.filter(({ metricId }) => metricId === metric.metricId)
  const variationIds = variations.map(({ variationId }) => variationId)
  const { strata } = strataOf(metric, rows, { splits: splitsOf(phases), variationIds, cuped: settings.cuped.enabled })
  return !compareStrata(between(strata, second, best), comparisonSettings(settings)).significant
}

/**
 * Until the planned visitors have come, at the rate of the last complete days of this phase, and the last of them has had
 * the time to convert. Null without a plan, and while there is no rate.
 */
function daysRemaining(measured: Measured): number | null {
  const { plannedUnitsPerVariation: planned, phases, dataThrough, rule, units } = measured
  const phase = phases.at(-1)
  if (planned === null || !phase || !dataThrough || rule.ruleStatus !== 'RUNNING') return null
  if (stageOfTest(measured) === 'FINAL') return 0
  const days = completeDays(measured, phase.startedAt).slice(-ratedDays)
  const daily = days.length > 0 ? sum(days, (count) => count) / days.length : 0
  const total = sum(units, (row) => row.units)
  const needed = decidingUnits(measured).flatMap(({ windowHours, counted }) =>
    counted.map((of) => {
      // Those of earlier days were measured before.
      if (of.earlier >= planned) return 0
      const came = reachedOn(of, planned)
      const wait = windowHours / hoursPerDay
      if (came !== undefined) return (came - dataThrough.getTime()) / dayMs + wait
      const found = unitsOf(measured, of.variationId)
      return (planned - unitsIn(of)) / (daily * (total > 0 ? found / total : 0)) + wait
    }),
  )
  const most = Math.max(0, Math.ceil(Math.max(...needed)))
  return Number.isFinite(most) ? most : null
}

/**
 * The visitors of each metric that the test waits for, with the time that they have to convert. All visitors if no
 * metric decides. A metric that has measured the planned visitors, or has kept figures, waits for nobody.
 */
function decidingUnits(measured: Measured): { windowHours: number; counted: CountedUnits[] }[] {
  const primary = measured.metrics.filter(({ role }) => role === 'PRIMARY')
  if (primary.length === 0) return [{ windowHours: 0, counted: countedUnits(measured) }]
  return primary
    .filter((metric) => stageOf(measured, [metric]) !== 'FINAL')
    .map((metric) => ({ windowHours: metric.windowHours, counted: countedUnits(measured, metric) }))
}

/**
 * The end of the day on which a variation reached this number of visitors. Undefined if it has not reached it. Those of
 * earlier days have no day of their own, and came before the others.
 */
function reachedOn({ earlier, rows }: CountedUnits, planned: number): number | undefined {
  let found = earlier
  for (const row of rows.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    found += row.units
    if (found >= planned) return Date.parse(row.day) + dayMs
  }
  return undefined
}

/** How many comparisons are corrected together with those of the primary metrics. */
const comparisonsIn = (metrics: readonly MetricResult[]): number =>
  metrics
    .filter(({ role }) => role === 'PRIMARY')
    .flatMap(({ variations }) => variations.filter(({ units, comparison }) => comparison !== null && units > 0)).length

/** The smallest lift of the first primary metric that the units of now find with 80 % power. */
function detectableLift(measured: Measured, metrics: readonly MetricResult[]): number | null {
  const { settings, variations } = measured
  const baselineId = variations.find(({ isBaseline }) => isBaseline)?.variationId
  const figures = metrics.find(({ role }) => role === 'PRIMARY')?.variations
  const baseline = figures?.find(({ variationId }) => variationId === baselineId)
  if (!settings || !figures || !baseline?.mean || !baseline.stddev) return null
  return relativeMde({
    mean: baseline.mean,
    stddev: baseline.stddev,
    perVariation: Math.min(...figures.map(({ units }) => units)),
    alpha: alphaOfOne(settings, comparisonsIn(metrics)),
    power,
    tuningParameter: settings.test === 'SEQUENTIAL' ? settings.sequentialTuningParameter : undefined,
  }).mde
}
