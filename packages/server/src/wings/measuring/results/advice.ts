import { type ArmVerdict, compareStrata, decide, progress, relativeMde } from '@svc/stats'
import { type Measured, sum } from './figures.ts'
import { completeDays } from './health.ts'
import { comparisonSettings, lacksData } from './metric-results.ts'
import type { ComparisonResult, MetricResult, ReasonCode, Results } from './schema.ts'
import { between, splitsOf, strataOf } from './strata.ts'

const power = 0.8
const ratedDays = 7
/** Puts a treatment without a lift, because the baseline is 0, behind all with one. */
const unknownLift = 1e-9

/** How far a test is, from the units of each variation. Null for a delivery. */
export function progressOf(measured: Measured, metrics: readonly MetricResult[]): Results['progress'] {
  const { settings, plannedUnitsPerVariation, variations } = measured
  if (!settings) return null
  const smallest = Math.min(...variations.map(({ variationId }) => unitsOf(measured, variationId)))
  return {
    plannedUnitsPerVariation,
    fraction: progress(smallest, plannedUnitsPerVariation),
    estimatedDaysRemaining: daysRemaining(measured),
    minimumDetectableLift: detectableLift(measured, metrics),
  }
}

/** Whether a test has what it was planned with: its units, or without a plan its end. */
export function isFinal(measured: Measured): boolean {
  const { plannedUnitsPerVariation: planned, variations, rule } = measured
  if (rule.ruleStatus === 'COMPLETED' || rule.endedAt !== null) return true
  return planned !== null && variations.every(({ variationId }) => unitsOf(measured, variationId) >= planned)
}

/** What to do with the test, and why. Advice only: a person declares the winner. Null for a delivery. */
export function recommendationOf(
  measured: Measured,
  { health, metrics, runtimeDays }: Pick<Results, 'health' | 'metrics' | 'runtimeDays'>,
): Results['recommendation'] {
  const { settings } = measured
  if (!settings) return null
  const isUnhealthy = health.status === 'FAILED'
  if (measured.units.length === 0 && !isUnhealthy) return keepRunning('NO_EXPOSURES')
  const primary = metrics.filter(({ role }) => role === 'PRIMARY')
  if (primary.length === 0 && !isUnhealthy) return keepRunning('NO_PRIMARY_METRIC')
  const plannedSampleReached = isFinal(measured)
  const arms = measured.variations
    .filter(({ isBaseline }) => !isBaseline)
    .map(({ variationId }) => verdictOf(variationId, metrics))
  const { recommendation, variation, runnerUp } = decide({
    health: health.status.toLowerCase(),
    runtimeDays,
    minRuntimeDays: settings.minRuntimeDays,
    plannedSampleReached,
    arms,
  })
  const isCollecting = primary.every(({ variations }) =>
    variations.every(({ comparison }) => comparison === null || lacksData(comparison.status)),
  )
  const reached: ReasonCode = plannedSampleReached ? 'PLANNED_SAMPLE_REACHED' : 'PLANNED_SAMPLE_NOT_REACHED'
  const why = (reason: ReasonCode, holds: boolean): ReasonCode[] => (holds ? [reason] : [])
  const has = (state: ArmVerdict['guardrails']) =>
    arms.some((arm) => arm.primarySignificantAdjusted && arm.ownGuardrails === state)
  const reasons: Record<typeof recommendation, ReasonCode[]> = {
    unhealthy: ['HEALTH_FAILED'],
    keep_running: [
      ...why('NOT_ENOUGH_DATA', isCollecting),
      ...why('MIN_RUNTIME_NOT_REACHED', runtimeDays < settings.minRuntimeDays),
      reached,
    ],
    ship: [
      'PRIMARY_BETTER',
      ...why(
        'GUARDRAILS_PASSED',
        metrics.some(({ role }) => role === 'GUARDRAIL'),
      ),
      ...why('TIE', runnerUp !== null && variation !== null && isTie(measured, metrics, variation, runnerUp)),
    ],
    review: [
      'PRIMARY_BETTER',
      ...why(
        'PRIMARY_WORSE',
        arms.some(({ isMixed }) => isMixed),
      ),
      ...why('GUARDRAIL_BREACHED', has('breached')),
      ...why('GUARDRAIL_INCONCLUSIVE', has('inconclusive')),
    ],
    rollback: ['PRIMARY_WORSE'],
    no_effect: [...why('NOT_ENOUGH_DATA', isCollecting), 'PLANNED_SAMPLE_REACHED'],
  }
  return {
    action: recommendation.toUpperCase() as NonNullable<Results['recommendation']>['action'],
    variationId: variation,
    reasons: reasons[recommendation],
  }
}

function keepRunning(reason: ReasonCode): Results['recommendation'] {
  return { action: 'KEEP_RUNNING', variationId: null, reasons: [reason] }
}

/** A treatment is better if a primary metric is and none is worse. Better and worse at once is for people to review. */
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
  const rows = cohorts.filter(({ metricId }) => metricId === metric.metricId)
  const variationIds = variations.map(({ variationId }) => variationId)
  const { strata } = strataOf(metric, rows, { splits: splitsOf(phases), variationIds, cuped: settings.cuped.enabled })
  return !compareStrata(between(strata, second, best), comparisonSettings(settings)).significant
}

/** At the rate of the last complete days of this phase. Null without a plan, and while there is no rate. */
function daysRemaining(measured: Measured): number | null {
  const { plannedUnitsPerVariation: planned, phases, variations, rule, units } = measured
  const phase = phases.at(-1)
  if (planned === null || !phase || rule.ruleStatus !== 'RUNNING') return null
  const days = completeDays(measured, phase.startedAt).slice(-ratedDays)
  const daily = sum(days, (count) => count) / days.length
  const total = sum(units, (row) => row.units)
  const needed = variations.map(({ variationId }) => {
    const found = unitsOf(measured, variationId)
    const share = total > 0 ? found / total : 0
    return found >= planned ? 0 : (planned - found) / (daily * share)
  })
  const most = Math.ceil(Math.max(...needed))
  return Number.isFinite(most) ? most : null
}

/** The smallest lift of the first primary metric that the units of now find with 80 % power. */
function detectableLift({ settings, variations }: Measured, metrics: readonly MetricResult[]): number | null {
  const baselineId = variations.find(({ isBaseline }) => isBaseline)?.variationId
  const figures = metrics.find(({ role }) => role === 'PRIMARY')?.variations
  const baseline = figures?.find(({ variationId }) => variationId === baselineId)
  if (!settings || !figures || !baseline?.mean || !baseline.stddev) return null
  return relativeMde({
    mean: baseline.mean,
    stddev: baseline.stddev,
    perVariation: Math.min(...figures.map(({ units }) => units)),
    alpha: settings.alpha,
    power,
    tuningParameter: settings.test === 'SEQUENTIAL' ? settings.sequentialTuningParameter : undefined,
  }).mde
}

function unitsOf({ units }: Measured, variationId: string): number {
  return sum(units, (row) => (row.variationId === variationId ? row.units : 0))
}
