import { type RuleDefinition, statisticsOf } from '../../model/versions/index.ts'
import type { RuleHistory } from '../counting/index.ts'
import { lookbackDays, type MetricRow, measureOf, rolesOf, type StoredMeasure } from '../counting/index.ts'
import type { Measured, MeasuredMetric } from './figures.ts'
import type { Results } from './schema.ts'

const allWeights = 10_000

/** A test always sends exposures, a delivery only if its definition says so. */
export const sendsExposures = (rule: RuleDefinition): boolean => rule.type === 'AB_TEST' || rule.exposures === true

/**
 * What the results say about the rule itself. A pause ends a plain rule, which has no other end. An experiment goes on
 * after a pause, so a pause must not unlock fixed-horizon results.
 */
export function ruleOfResults(
  { flagId, envId }: { flagId: string; envId: string },
  rule: RuleDefinition,
  { served }: Pick<RuleHistory, 'served'>,
  experiment: { completedAt: Date | null } | undefined,
): Measured['rule'] {
  const last = served.at(-1)
  const hasEnded = experiment?.completedAt != null
  const status = last?.until ? 'PAUSED' : 'RUNNING'
  return {
    ruleId: rule.id,
    flagId,
    envId,
    ruleType: rule.type,
    ruleStatus: hasEnded ? 'COMPLETED' : last ? status : 'DRAFT',
    sendsExposures: sendsExposures(rule),
    startedAt: served[0]?.from ?? null,
    endedAt: experiment && !hasEnded ? null : (last?.until ?? null),
  }
}

export function settingsOf(
  rule: RuleDefinition,
  { first }: Pick<RuleHistory, 'first'>,
  defaultTuningParameter: number,
): Measured['settings'] {
  if (rule.type !== 'AB_TEST') return null
  const {
    autoPause: _autoPause,
    plannedUnitsPerVariation: _planned,
    maxUnits: _cap,
    cuped,
    ...settings
  } = statisticsOf(rule)
  const planned = plannedUnits(first)
  return {
    ...settings,
    cuped: { enabled: cuped, lookbackDays },
    // The total of a compared pair.
    sequentialTuningParameter: planned === null ? defaultTuningParameter : 2 * planned,
  }
}

export const plannedUnits = (first: RuleDefinition | null): number | null =>
  first?.type === 'AB_TEST' ? statisticsOf(first).plannedUnitsPerVariation : null

export const trafficCap = (rule: RuleDefinition): number | null =>
  rule.type === 'AB_TEST' ? statisticsOf(rule).maxUnits : null

/** The phases that results count. */
export const phasesOfResults = ({ phases, begin }: Pick<RuleHistory, 'phases' | 'begin'>): Measured['phases'] =>
  phases
    .map(({ number, startedAt, rule }, index) => ({
      phase: number,
      startedAt,
      endedAt: phases[index + 1]?.startedAt ?? null,
      weights: Object.fromEntries(weightsOf(rule).map(({ variationId, weight }) => [variationId, weight])),
    }))
    .filter(({ phase }) => begin !== null && phase >= begin.number)

/** When the rule was served in the phases that results count. */
export const servedInResults = ({ served, begin }: Pick<RuleHistory, 'served' | 'begin'>): Measured['served'] =>
  served.flatMap(({ from, until }) => {
    if (begin === null || (until !== null && until <= begin.startedAt)) return []
    return [{ from: from < begin.startedAt ? begin.startedAt : from, until }]
  })

/** The variations of a rule in its order, with fractions as weights. */
export function variationsOf(rule: RuleDefinition, keys: ReadonlyMap<string, string>): Measured['variations'] {
  return weightsOf(rule).map(({ variationId, weight }) => ({
    variationId,
    // A variation that was removed since has no key any more.
    key: keys.get(variationId) ?? variationId,
    isBaseline: rule.type === 'AB_TEST' && rule.baselineVariationId === variationId,
    weight,
  }))
}

const weightsOf = (rule: RuleDefinition): { variationId: string; weight: number }[] =>
  rule.type === 'AB_TEST'
    ? rule.variations.map(({ variationId, weight }) => ({ variationId, weight: weight / allWeights }))
    : [{ variationId: rule.variationId, weight: 1 }]

/** The metrics of a rule in the order of their roles. A deleted one is left out. */
export function metricsOfRule(
  rule: RuleDefinition,
  rows: readonly MetricRow[],
  measures: readonly (StoredMeasure & { countedFrom?: Date })[],
): MeasuredMetric[] {
  if (rule.type !== 'AB_TEST') return []
  return rolesOf(rule).flatMap(({ key, role }) => {
    const row = rows.find((each) => each.key === key)
    if (!row) return []
    const stored = measures.find(({ measure }) => measure.metricId === row.id)
    const { id: metricId, name, type, direction, unit, nonInferiorityMargin } = row
    const { windowHours } = measureOf(row, statisticsOf(rule))
    const capped = { winsorizedAt: stored?.cap ?? null, winsorizedUnits: stored?.capped ?? 0 }
    const counted = stored?.countedFrom && { countedFrom: stored.countedFrom }
    return [
      { metricId, key, name, type, role, direction, unit, windowHours, nonInferiorityMargin, ...capped, ...counted },
    ]
  })
}

/**
 * When comparisons were first significant, as the last document has it. Times until `begin` are about visitors that no
 * longer count.
 */
export const firstSignificantIn = (last: Results | undefined, begin: Date): Measured['firstSignificant'] =>
  (last?.metrics ?? [])
    .flatMap(({ metricId, variations }) =>
      variations.flatMap(({ variationId, comparison }) =>
        comparison?.firstSignificantAt ? [{ metricId, variationId, at: new Date(comparison.firstSignificantAt) }] : [],
      ),
    )
    .filter(({ at }) => at > begin)
