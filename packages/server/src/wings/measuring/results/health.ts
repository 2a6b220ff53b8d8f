import {
  crossoverCheck,
  type HealthStatus,
  momentsOfX,
  noExposures,
  prePeriodBalance,
  srmFailsAboveBayesFactor,
  srmFailsBelow,
  srmOfPeriods,
  srmSequential,
  srmStatus,
  starvedVariations,
  trafficDrop,
} from '@svc/stats'
import { dayOf, type Measured, sum, type UnitRow, upper } from './figures.ts'
import type { HealthCheck, Results } from './schema.ts'
import { between, splitsOf, strataOf } from './strata.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const order = ['NOT_ENOUGH_DATA', 'OK', 'WARNING', 'FAILED'] as const
/** JSON has no infinity. */
const maxBayesFactor = 1e300

/** Whether the units of a rule are as they should be. Without that, no figure can be trusted. */
export function healthOf(measured: Measured): Results['health'] {
  if (!measured.rule.sendsExposures) return { status: 'NOT_MEASURED', checks: [] }
  const checks = [
    ...(measured.rule.ruleType === 'AB_TEST' ? [sampleRatio(measured), crossover(measured)] : []),
    ...traffic(measured),
    ...balance(measured),
    ...computation(measured),
  ]
  return { status: worst(checks.map(({ status }) => status)), checks }
}

/**
 * The chi-square test sees units of complete days only, so however often results are computed it looks once a day, which
 * its limit allows for. The sequential test sees all units. Both count with and without crossovers, because a fault that
 * moves units can hide in what is left out; the answer has the worse of the two.
 */
function sampleRatio(measured: Measured): HealthCheck {
  const today = measured.dataThrough ? dayOf(measured.dataThrough) : ''
  const complete = measured.units.filter(({ day }) => day < today)
  const counts: ((row: UnitRow) => number)[] = [({ units }) => units, ({ units, crossed }) => units + crossed]
  const found = counts.map((count) => {
    const periods = periodsOf(measured, complete, count)
    const logBayesFactor = periodsOf(measured, measured.units, count)
      .map((period) => srmSequential(period).logBayesFactor ?? 0)
      .reduce((sum, log) => sum + log, 0)
    return { ...srmOfPeriods(periods), status: srmStatus(...periods), logBayesFactor }
  })
  const [first, second] = found as [(typeof found)[number], (typeof found)[number]]
  const worse = (second.pValue ?? 1) < (first.pValue ?? 1) ? second : first
  const logBayesFactor = Math.max(first.logBayesFactor, second.logBayesFactor)
  const isUnlikely = logBayesFactor > Math.log(srmFailsAboveBayesFactor)
  return {
    check: 'SRM',
    status: isUnlikely ? 'FAILED' : upper(worse.status),
    chi2: worse.chi2,
    df: worse.df,
    pValue: worse.pValue,
    bayesFactor: Math.min(maxBayesFactor, Math.exp(logBayesFactor)),
    threshold: srmFailsBelow,
  }
}

function periodsOf({ phases, variations }: Measured, rows: readonly UnitRow[], count: (row: UnitRow) => number) {
  return splitsOf(phases).map(({ phases: inSplit, weights }) => ({
    weights: variations.map(({ variationId }) => weights[variationId] ?? 0),
    observed: variations.map(({ variationId }) =>
      rows
        .filter((row) => row.variationId === variationId && inSplit.has(row.phase))
        .reduce((sum, row) => sum + count(row), 0),
    ),
  }))
}

function crossover({ units }: Measured): HealthCheck {
  const crossed = sum(units, (row) => row.crossed)
  const { status, rate, threshold } = crossoverCheck({ crossed, total: crossed + sum(units, (row) => row.units) })
  return { check: 'CROSSOVER', status: upper(status), rate, threshold }
}

function traffic(measured: Measured): HealthCheck[] {
  const { rule, units, maxUnits, served, hasHeartbeats, phases, variations } = measured
  const [phase, stretch] = [phases.at(-1), served.at(-1)]
  if (rule.ruleStatus !== 'RUNNING' || !phase || !stretch || stretch.until) return []
  const servingHours = (measured.generatedAt.getTime() - stretch.from.getTime()) / hourMs
  const exposures = sum(units, (row) => row.units + row.crossed)
  const silent = noExposures({ servingHours, hasHeartbeats, exposures })
  const days = completeDays(measured, phase.startedAt)
  const drop = trafficDrop({ previousDays: days.slice(0, -1), lastDay: days.at(-1) ?? 0 })
  const checks: HealthCheck[] = [
    { check: 'NO_EXPOSURES', status: upper(silent), observed: exposures },
    {
      check: 'TRAFFIC_DROP',
      status: upper(drop.status),
      observed: drop.observed,
      expected: drop.expected,
      threshold: drop.threshold,
    },
  ]
  if (maxUnits !== null) checks.push(cap(exposures, maxUnits))
  if (rule.ruleType !== 'AB_TEST') return checks
  const { status, starved } = starvedVariations({
    weights: variations.map(({ variationId }) => phase.weights[variationId] ?? 0),
    observed: variations.map(({ variationId }) =>
      sum(units, (row) => (row.phase === phase.phase && row.variationId === variationId ? row.units + row.crossed : 0)),
    ),
  })
  const variationIds = starved.map((i) => variations[i]?.variationId ?? '')
  return [...checks, { check: 'VARIATION_STARVED', status: upper(status), variationIds }]
}

/** More units than wanted do not make the figures worse, so this only warns. */
const cap = (observed: number, threshold: number): HealthCheck => ({
  check: 'TRAFFIC_CAP',
  status: observed >= threshold ? 'WARNING' : 'OK',
  observed,
  threshold,
})

/**
 * New units of each complete day since the day after the phase began. Days without units are 0. Days with a pause are
 * left out: they are shorter than others.
 */
export function completeDays({ units, dataThrough, served }: Measured, since: Date): number[] {
  if (!dataThrough) return []
  const byDay = Map.groupBy(units, ({ day }) => day)
  const days: number[] = []
  const isServed = (at: number) =>
    served.some(({ from, until }) => from.getTime() <= at && (until === null || until.getTime() >= at + dayMs))
  for (let at = Date.parse(dayOf(since)) + dayMs; at + dayMs <= dataThrough.getTime(); at += dayMs)
    if (isServed(at)) days.push(sum(byDay.get(dayOf(new Date(at))) ?? [], (row) => row.units + row.crossed))
  return days
}

/** Whether variations differed before the test, by the covariates of the primary metrics. */
function balance({ settings, metrics, cohorts, phases, variations }: Measured): HealthCheck[] {
  const baseline = variations.find(({ isBaseline }) => isBaseline)
  if (!settings?.cuped.enabled || !baseline) return []
  const context = {
    splits: splitsOf(phases),
    variationIds: variations.map(({ variationId }) => variationId),
    cuped: true,
  }
  const found = metrics
    .filter(({ role, type }) => role === 'PRIMARY' && type !== 'RATIO')
    .flatMap((metric) => {
      const rows = cohorts.filter(({ metricId }) => metricId === metric.metricId)
      const { strata } = strataOf(metric, rows, context)
      return context.variationIds
        .filter((id) => id !== baseline.variationId)
        .flatMap((id) => between(strata, baseline.variationId, id))
        .flatMap(({ control, treatment }) =>
          control.type === 'CUPED' && treatment.type === 'CUPED'
            ? [prePeriodBalance(momentsOfX(control), momentsOfX(treatment))]
            : [],
        )
    })
  const [first] = found
  if (!first) return []
  const lowest = found.reduce((least, test) => ((test.pValue ?? 1) < (least.pValue ?? 1) ? test : least), first)
  return [{ check: 'BALANCE', status: upper(lowest.status), pValue: lowest.pValue }]
}

/** Only there if a part could not be computed. The others are right, but no verdict may leave out a guardrail. */
function computation({ setAside = [], metrics }: Measured): HealthCheck[] {
  if (setAside.length === 0) return []
  const decides = metrics.some(
    ({ metricId, role }) =>
      role !== 'SECONDARY' && setAside.some(({ kind, id }) => kind === 'METRIC' && id === metricId),
  )
  return [{ check: 'COMPUTATION', status: decides ? 'FAILED' : 'WARNING', observed: setAside.length }]
}

function worst(statuses: readonly Uppercase<HealthStatus>[]): Uppercase<HealthStatus> {
  return order[Math.max(0, ...statuses.map((status) => order.indexOf(status)))] ?? 'NOT_ENOUGH_DATA'
}
