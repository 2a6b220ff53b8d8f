import { isSetAside } from '../counting/index.ts'
import { type KeptFigures, type Measured, type MeasuredMetric, sum, type UnitRow } from './figures.ts'

/**
 * How far the figures of metrics are from the end that the test was planned with. Everything that speaks of a verdict asks
 * here, so that no two of them can disagree.
 *
 * - `COLLECTING`: the planned visitors have not all come, and the test has not ended. Or it has ended, and all metrics
 *   came too late for its visitors.
 * - `WINDOWS_OPEN`: they have come, or the test has ended, but some of them still have time to convert.
 * - `FINAL`: every variation has measured its planned visitors, or the test has ended and all windows have closed.
 */
export type Stage = 'COLLECTING' | 'WINDOWS_OPEN' | 'FINAL'

const hourMs = 3_600_000
const roles = ['PRIMARY', 'GUARDRAIL', 'SECONDARY'] as const

/**
 * How far metrics are that are judged together. Without metrics, it is about the visitors. After the end, a metric that
 * came too late would wait for ever, so the others do not wait for it.
 */
export function stageOf(measured: Measured, all: readonly MeasuredMetric[]): Stage {
  const { plannedUnitsPerVariation: planned } = measured
  const metrics = all.filter((metric) => !cameTooLate(measured, metric))
  if (metrics.length === 0 && all.length > 0) return 'COLLECTING'
  const isPlanned = (units: readonly number[]) => planned !== null && units.every((count) => count >= planned)
  const isFinal = (metric: MeasuredMetric) =>
    keptOf(measured, metric) !== undefined ||
    isPlanned(measuredUnits(measured, metric)) ||
    hasClosed(measured, metric.windowHours)
  if (metrics.length > 0 ? metrics.every(isFinal) : hasClosed(measured, 0)) return 'FINAL'
  const onlyWaits = (metric: MeasuredMetric) =>
    isFinal(metric) || isPlanned(countedUnits(measured, metric).map(unitsIn))
  const haveCome = metrics.length > 0 ? metrics.every(onlyWaits) : isPlanned(exposedUnits(measured))
  return hasEnded(measured) || haveCome ? 'WINDOWS_OPEN' : 'COLLECTING'
}

/** How far the metrics of one role are. Those of a role are looked at together, so that each has one look. */
export const stageOfRole = (measured: Measured, role: MeasuredMetric['role']): Stage =>
  stageOf(
    measured,
    measured.metrics.filter((metric) => metric.role === role),
  )

/** How far the test is: the metrics that decide it, its visitors if it has none. */
export const stageOfTest = (measured: Measured): Stage => stageOfRole(measured, 'PRIMARY')

/** Whether guardrails have not been judged yet. One that came too late for a test that has ended never is. */
export const areGuardrailsOpen = (measured: Measured): boolean =>
  measured.settings?.test === 'FIXED_HORIZON' &&
  stageOf(
    measured,
    measured.metrics.filter((metric) => metric.role === 'GUARDRAIL' && !cameTooLate(measured, metric)),
  ) !== 'FINAL'

/**
 * Whether the figures of a metric are final with this snapshot, or were before. One that is set aside is looked at when
 * it has figures again.
 */
export const isJudged = (measured: Measured, metric: MeasuredMetric): boolean =>
  stageOfRole(measured, metric.role) === 'FINAL' && !isAside(measured, metric) && !cameTooLate(measured, metric)

/** Whether all figures are kept that there will be. */
export const areAllKept = (measured: Measured): boolean =>
  measured.metrics.some((metric) => keptOf(measured, metric)) &&
  measured.metrics.every((metric) => keptOf(measured, metric) || cameTooLate(measured, metric))

/** The visitors of the smallest variation that the metrics which decide have measured. */
export function smallestMeasured(measured: Measured): number {
  const primary = measured.metrics.filter(({ role }) => role === 'PRIMARY')
  const counts =
    primary.length > 0 ? primary.map((metric) => measuredUnits(measured, metric)) : [exposedUnits(measured)]
  return Math.min(...counts.flat())
}

/**
 * The figures that become final with this snapshot. Only a test with a fixed horizon keeps them: the intervals of a
 * sequential one hold at any look.
 */
export function finalFigures(measured: Measured): KeptFigures[] {
  const { settings, dataThrough, cohorts, metrics } = measured
  if (settings?.test !== 'FIXED_HORIZON' || !dataThrough) return []
  return roles
    .flatMap((role) => metrics.filter((metric) => metric.role === role))
    .filter((metric) => isJudged(measured, metric) && !keptOf(measured, metric))
    .map(({ metricId, winsorizedAt, winsorizedUnits }) => ({
      metricId,
      at: dataThrough,
      rows: cohorts.filter((row) => row.metricId === metricId),
      winsorizedAt,
      winsorizedUnits,
    }))
}

/** What a test with a fixed horizon has kept of a metric. */
export const keptOf = (
  { settings, kept }: Pick<Measured, 'settings' | 'kept'>,
  { metricId }: Pick<MeasuredMetric, 'metricId'>,
): KeptFigures | undefined =>
  settings?.test === 'FIXED_HORIZON' ? kept.find((each) => each.metricId === metricId) : undefined

const hasEnded = ({ rule }: Measured): boolean => rule.ruleStatus === 'COMPLETED' || rule.endedAt !== null

/** Whether the test has ended, and every visitor has had the time to convert. */
function hasClosed(measured: Measured, windowHours: number): boolean {
  const { rule, dataThrough } = measured
  if (!hasEnded(measured) || !dataThrough) return false
  return rule.endedAt === null || dataThrough.getTime() >= rule.endedAt.getTime() + windowHours * hourMs
}

/** The variations that get visitors. A variation with a weight of 0 would never reach the plan. */
export const servedVariations = ({ variations }: Measured): Measured['variations'] =>
  variations.filter(({ weight }) => weight > 0)

/** The visitors of a variation, measured or not. */
export const unitsOf = ({ units }: Measured, variationId: string): number =>
  sum(units, (row) => (row.variationId === variationId ? row.units : 0))

const exposedUnits = (measured: Measured): number[] => countedUnits(measured).map(unitsIn)

/** The visitors of a variation that a metric counts, now or when their windows have closed. */
export interface CountedUnits {
  variationId: string
  /** Those of days whose events are deleted. They were measured before, and stay as they are. */
  earlier: number
  rows: readonly UnitRow[]
}

/** The visitors of each variation that a metric counts, or all. None of a metric that is set aside. */
export function countedUnits(measured: Measured, metric?: MeasuredMetric): CountedUnits[] {
  const units = unitsSince(measured, metric)
  return metric && isAside(measured, metric) ? units.map((of) => ({ ...of, rows: [] })) : units
}

const isAside = ({ setAside = [] }: Measured, { metricId }: MeasuredMetric): boolean =>
  isSetAside(setAside, { kind: 'METRIC', id: metricId })

/**
 * The visitors since a metric counts. One that was added to a test whose first events were deleted by then never counts
 * the visitors from before.
 */
function unitsSince(measured: Measured, metric?: MeasuredMetric): CountedUnits[] {
  const isCounted = ({ day }: UnitRow) => !metric?.countedFrom || Date.parse(day) >= metric.countedFrom.getTime()
  const ofMetric = measured.cohorts.filter(({ metricId }) => metricId === metric?.metricId)
  return servedVariations(measured).map(({ variationId }) => {
    const isOfVariation = (row: { variationId: string }) => row.variationId === variationId
    return {
      variationId,
      earlier: sum(ofMetric.filter(isOfVariation), ({ earlier = 0 }) => earlier),
      rows: measured.units.filter((row) => isOfVariation(row) && isCounted(row)),
    }
  })
}

export const unitsIn = ({ earlier, rows }: CountedUnits): number => earlier + sum(rows, ({ units }) => units)

/**
 * Whether a metric came after the events of all visitors were deleted, and the test has ended, so it never measures
 * any. A look at nobody is none. A test that nobody visited is another matter: it has closed like any other.
 */
const cameTooLate = (measured: Measured, metric: MeasuredMetric): boolean =>
  hasEnded(measured) &&
  !keptOf(measured, metric) &&
  exposedUnits(measured).some((units) => units > 0) &&
  unitsSince(measured, metric).every((counted) => unitsIn(counted) === 0)

/**
 * The visitors of each variation whose windows have closed. A test that counts visitors at once has more of them, of whom
 * some have not converted yet: with them, it would miss the effect that it was planned to find. There, all windows of a
 * day (UTC) close at its end.
 */
function measuredUnits(measured: Measured, metric: MeasuredMetric): number[] {
  const kept = keptOf(measured, metric)
  if (!kept && measured.settings?.inProgressConversions === 'INCLUDE' && metric.windowHours > 0) {
    const closedUntil = (measured.dataThrough?.getTime() ?? 0) - (24 + metric.windowHours) * hourMs
    const isClosed = ({ day }: UnitRow) => Date.parse(day) <= closedUntil
    return countedUnits(measured, metric).map(({ rows, ...of }) => unitsIn({ ...of, rows: rows.filter(isClosed) }))
  }
  const rows = kept?.rows ?? measured.cohorts
  const ofMetric = rows.filter(({ metricId }) => metricId === metric.metricId)
  return servedVariations(measured).map(({ variationId }) =>
    sum(ofMetric, (row) => (row.variationId === variationId ? row.n : 0)),
  )
}
