import {
  crossoverCheck,
  type HealthStatus,
  impossibleVariations,
  momentsOfX,
  noExposures,
  prePeriodBalance,
  srmFailsAboveBayesFactor,
  srmFailsBelow,
  srmHasLooked,
  srmOfDay,
  srmSequential,
  starvedVariations,
  trafficDrop,
} from '@svc/stats'
import { dayOf } from '../counting/index.ts'
import { type Measured, sum, type UnitRow, upper } from './figures.ts'
import type { HealthCheck, Results } from './schema.ts'
import { between, splitsOf, strataOf } from './strata.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
const order = ['NOT_ENOUGH_DATA', 'OK', 'WARNING', 'FAILED'] as const
/** JSON has no infinity. */
const maxBayesFactor = 1e300

/** Whether the units of a rule are as they should be. Otherwise its figures cannot be trusted. */
export function healthOf(measured: Measured): Results['health'] {
  if (!measured.rule.sendsExposures) return { status: 'NOT_MEASURED', checks: [] }
  const checks = [
    ...(measured.rule.ruleType === 'AB_TEST' ? [sampleRatio(measured), crossover(measured)] : []),
    ...traffic(measured),
    ...balance(measured),
    ...computation(measured),
    ...addressShare(measured),
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
    const now = periodsOf(measured, measured.units, count)
    const logBayesFactor = now
      .map((period) => srmSequential(period).logBayesFactor ?? 0)
      .reduce((sum, log) => sum + log, 0)
    return { ...srmOfDay(...periodsOf(measured, complete, count)), logBayesFactor, hasLooked: srmHasLooked(...now) }
  })
  const [first, second] = found as [(typeof found)[number], (typeof found)[number]]
  const worse = (second.pValue ?? 1) < (first.pValue ?? 1) ? second : first
  const logBayesFactor = Math.max(first.logBayesFactor, second.logBayesFactor)
  const isUnlikely = logBayesFactor > Math.log(srmFailsAboveBayesFactor)
  const impossible = impossibleIn(measured)
  // The sequential test works before the other one has enough data.
  const status = worse.status === 'not_enough_data' && worse.hasLooked ? 'ok' : worse.status
  return {
    check: 'SRM',
    status: isUnlikely || impossible.length > 0 ? 'FAILED' : upper(status),
    chi2: worse.chi2,
    df: worse.df,
    pValue: worse.pValue,
    bayesFactor: impossible.length > 0 ? maxBayesFactor : Math.min(maxBayesFactor, Math.exp(logBayesFactor)),
    threshold: srmFailsBelow,
    ...(impossible.length > 0 && { variationIds: impossible }),
  }
}

/**
 * The variations that got visitors although the split gives them none. On the day of a new split, clients that have not
 * heard of it can still give a variation of the one before.
 */
function impossibleIn({ phases, units }: Measured): string[] {
  const first = phases[0]?.phase
  const counted = splitsOf(phases).flatMap(({ phases: inSplit, weights }) => {
    const rows = units.filter(({ phase, day }) => {
      const startedAt = phases.find((each) => each.phase === phase)?.startedAt
      return inSplit.has(phase) && (phase === first || (startedAt !== undefined && day > dayOf(startedAt)))
    })
    const ids = [...new Set([...Object.keys(weights), ...rows.map(({ variationId }) => variationId)])]
    const observed = ids.map((id) => sum(rows, (row) => (row.variationId === id ? row.units + row.crossed : 0)))
    return impossibleVariations({ observed, weights: ids.map((id) => weights[id] ?? 0) }).map((place) => ids[place]!)
  })
  return [...new Set(counted)]
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
  const days = daysSince(measured, phase.startedAt)
  const lastAt = lastExposureOf(measured)
  const silent = noExposures({ servingHours, hasHeartbeats, exposures, ...silenceOf(measured, days, lastAt) })
  const drop = dropOf(days)
  const checks: HealthCheck[] = [
    { check: 'NO_EXPOSURES', status: upper(silent), observed: exposures, lastAt: lastAt?.toISOString() ?? null },
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

/** A complete day (UTC). Its units are null if the rule was paused in it: such a day is shorter than others. */
interface CompleteDay {
  at: number
  units: number | null
}

/** The complete days since the day after a moment. Days without units have 0. */
function daysSince({ units, dataThrough, served }: Measured, since: Date): CompleteDay[] {
  if (!dataThrough) return []
  const byDay = Map.groupBy(units, ({ day }) => day)
  const days: CompleteDay[] = []
  const isServed = (at: number) =>
    served.some(({ from, until }) => from.getTime() <= at && (until === null || until.getTime() >= at + dayMs))
  for (let at = Date.parse(dayOf(since)) + dayMs; at + dayMs <= dataThrough.getTime(); at += dayMs) {
    const found = sum(byDay.get(dayOf(new Date(at))) ?? [], (row) => row.units + row.crossed)
    days.push({ at, units: isServed(at) ? found : null })
  }
  return days
}

/** New units of each complete day since the day after a moment, days with a pause left out. */
export const completeDays = (measured: Measured, since: Date): number[] =>
  daysSince(measured, since).flatMap(({ units }) => units ?? [])

/** Compares the last complete day. A day with a pause is not compared. */
function dropOf(days: readonly CompleteDay[]) {
  const last = days.at(-1)?.units ?? null
  if (last === null) return { status: 'not_enough_data' as const, observed: null, expected: null, threshold: null }
  return trafficDrop({ previousDays: days.slice(0, -1).map(({ units }) => units), lastDay: last })
}

/** When a visitor was seen last. In older data, only the day of the last new visitor is known. */
function lastExposureOf({ lastExposureAt, units }: Measured): Date | null {
  if (lastExposureAt) return lastExposureAt
  const days = units.filter((row) => row.units + row.crossed > 0).map(({ day }) => day)
  const last = days.toSorted().at(-1)
  return last === undefined ? null : new Date(Date.parse(last) + dayMs)
}

/**
 * How long no visitor was seen, and how many new visitors should have come meanwhile: as many as on the same day a week
 * before, or the average until then if that is unknown.
 */
function silenceOf(measured: Measured, days: readonly CompleteDay[], lastAt: Date | null) {
  const { served, units, generatedAt } = measured
  const until = generatedAt.getTime()
  const from = Math.max(lastAt?.getTime() ?? until, served.at(-1)?.from.getTime() ?? until)
  if (from >= until) return { silentHours: 0, expected: 0 }
  const servedMs = sum(served, (stretch) =>
    Math.max(0, Math.min(stretch.until?.getTime() ?? until, from) - stretch.from.getTime()),
  )
  const perDay = sum(units, (row) => row.units + row.crossed) / Math.max(1, servedMs / dayMs)
  const known = new Map(days.map((day) => [day.at, day.units]))
  let expected = 0
  for (let at = Date.parse(dayOf(new Date(from))); at < until; at += dayMs) {
    const share = (Math.min(until, at + dayMs) - Math.max(from, at)) / dayMs
    // In a silence of more than a week, the week before has no visitors to compare with.
    const before = at - weekMs + dayMs <= from ? known.get(at - weekMs) : undefined
    expected += share * (before ?? perDay)
  }
  return { silentHours: (until - from) / hourMs, expected }
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

/**
 * This check exists only if a part could not be computed. The other figures are right, but a verdict must not leave out
 * a guardrail.
 */
function computation({ setAside = [], metrics }: Measured): HealthCheck[] {
  if (setAside.length === 0) return []
  const decides = metrics.some(
    ({ metricId, role }) =>
      role !== 'SECONDARY' && setAside.some(({ kind, id }) => kind === 'METRIC' && id === metricId),
  )
  return [{ check: 'COMPUTATION', status: decides ? 'FAILED' : 'WARNING', observed: setAside.length }]
}

const mostOfOneNetwork = 0.2

/**
 * This check exists only once a day had enough visitors. A company or a carrier can be the reason, so this only warns.
 */
function addressShare({ largestNetwork }: Measured): HealthCheck[] {
  if (!largestNetwork) return []
  const { day, units, share } = largestNetwork
  const status = share > mostOfOneNetwork ? 'WARNING' : 'OK'
  return [{ check: 'ADDRESS_SHARE', status, rate: share, threshold: mostOfOneNetwork, observed: units, day }]
}

function worst(statuses: readonly Uppercase<HealthStatus>[]): Uppercase<HealthStatus> {
  return order[Math.max(0, ...statuses.map((status) => order.indexOf(status)))] ?? 'NOT_ENOUGH_DATA'
}
