import type { DigestOf } from '../../../catalogue/payloads.ts'
import type { Results } from '../results/index.ts'

/** The digest that was sent last. */
export interface LastDigest {
  /** The last day (UTC) on which the service decided about a digest; null if it never did. */
  day: string | null
  /** What {@link figuresOf} said of the results that were sent last; null if none were. */
  figures: string | null
}

/** The day (UTC) of a snapshot. */
export const dayOfSnapshot = ({ dataThrough, generatedAt }: Pick<Results, 'dataThrough' | 'generatedAt'>): string =>
  (dataThrough ?? generatedAt).slice(0, 10)

/** Whether this is the first snapshot of a day, so that it decides about the digest of the day. */
export const opensDay = (last: LastDigest, results: Results): boolean =>
  last.day === null || last.day < dayOfSnapshot(results)

/** Whether the first snapshot of a day is sent: only after the day when the rule started, and only with new data. */
export function isDigestDue(last: LastDigest, results: Results): boolean {
  const { startedAt, units } = results
  if (!opensDay(last, results) || startedAt === null || startedAt.slice(0, 10) >= dayOfSnapshot(results)) return false
  const { crossover, bot, override } = units.excluded
  return units.total + crossover + bot + override > 0 && figuresOf(results) !== last.figures
}

/** The counts of the results. They stay the same while nothing new has arrived. */
export const figuresOf = ({ units, metrics }: Results): string =>
  JSON.stringify([
    units.total,
    units.excluded,
    metrics.map(({ metricId, variations }) => [
      metricId,
      variations.map((variation) => [variation.units, variation.sum, variation.denominatorSum]),
    ]),
  ])

/** What a digest shows of the results. */
export function digestOf(results: Results): DigestOf {
  const { units, health, metrics, progress, recommendation } = results
  const keys = new Map(units.variations.map(({ variationId, key }) => [variationId, key]))
  return {
    asOf: results.dataThrough ?? results.generatedAt,
    ruleStatus: results.ruleStatus,
    runtimeDays: results.runtimeDays,
    units: units.total,
    variations: units.variations.map(({ variationId, key, units, share }) => ({ id: variationId, key, units, share })),
    health: {
      status: health.status,
      failed: health.checks.flatMap(({ check, status }) => (status === 'FAILED' ? [check] : [])),
    },
    metrics: metrics.map(({ metricId, key, name, role, variations }) => ({
      id: metricId,
      key,
      name,
      role,
      variations: variations.map(({ variationId, mean, comparison }) => ({
        id: variationId,
        key: keys.get(variationId) ?? variationId,
        mean,
        lift: comparison && {
          estimate: comparison.lift.estimate,
          ciLow: comparison.lift.ciLow,
          ciHigh: comparison.lift.ciHigh,
        },
        significant: comparison?.significant ?? null,
        guardrail: comparison?.guardrail?.state ?? null,
      })),
    })),
    progress: progress?.fraction ?? null,
    recommendation,
  }
}
