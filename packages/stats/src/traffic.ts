import { chiSquareSf } from './distributions.ts'
import { type Figures, figures } from './figures.ts'
import type { HealthStatus } from './srm.ts'

const minDays = 3
const maxDays = 7
const dropBeyond = -4
const starvedBelow = 1e-6
const allocationFailsBelow = 0.0005
const silentAfterHours = 6

/**
 * Whether the last complete day has far fewer units than the days before: below `dropThreshold` of their median, and by
 * more than 4 standard deviations, `z = (observed - median) / sqrt(φ · median)` with `φ = max(1, variance / mean)`.
 * Looks at the last 7 days before it, and needs 3.
 */
export function trafficDrop({
  previousDays,
  lastDay,
  dropThreshold = 0.5,
}: {
  previousDays: readonly number[]
  lastDay: number
  dropThreshold?: number
}): Figures<{ status: HealthStatus; observed: number; expected: number; z: number; threshold: number }> {
  const days = previousDays.slice(-maxDays)
  const expected = median(days)
  const mean = days.reduce((sum, units) => sum + units, 0) / days.length
  const variance = days.reduce((sum, units) => sum + (units - mean) ** 2, 0) / (days.length - 1)
  const dispersion = Math.max(1, variance / mean)
  const z = (lastDay - expected) / Math.sqrt(dispersion * expected)
  const isDrop = lastDay < dropThreshold * expected && z < dropBeyond
  const status = days.length < minDays || !(expected > 0) ? 'not_enough_data' : isDrop ? 'failed' : 'ok'
  return figures({ status, observed: lastDay, expected, z, threshold: dropThreshold * expected })
}

/** Whether a rule that served for 6 hours to SDKs that report themselves has no exposures at all. */
export function noExposures({
  servingHours,
  hasHeartbeats,
  exposures,
}: {
  servingHours: number
  hasHeartbeats: boolean
  exposures: number
}): HealthStatus {
  if (exposures > 0) return 'ok'
  return servingHours >= silentAfterHours && hasHeartbeats ? 'failed' : 'not_enough_data'
}

/**
 * The arms without a unit although the others have so many that chance does not explain it: `(1 - w)^N < 1e-6`.
 * Answers their places in `weights`.
 */
export function starvedVariations({ observed, weights }: { observed: readonly number[]; weights: readonly number[] }): {
  status: HealthStatus
  starved: number[]
} {
  const all = weights.reduce((sum, weight) => sum + Math.max(0, weight), 0)
  const total = observed.reduce((sum, units) => sum + units, 0)
  const starved = weights.flatMap((weight, i) => {
    const share = weight / all
    const isStarved = weight > 0 && !observed[i] && (1 - share) ** total < starvedBelow
    return isStarved ? [i] : []
  })
  return { status: starved.length > 0 ? 'failed' : total > 0 ? 'ok' : 'not_enough_data', starved }
}

/** Whether the share of evaluated units that enter a rule differs from its configured share: chi-square, p < 0.0005. */
export function allocation({
  entered,
  evaluated,
  share,
}: {
  entered: number
  evaluated: number
  share: number
}): Figures<{ status: HealthStatus; pValue: number; observed: number; expected: number }> {
  const variance = evaluated * share * (1 - share)
  const pValue = chiSquareSf((entered - evaluated * share) ** 2 / variance, 1)
  const status = !(variance > 0) ? 'not_enough_data' : pValue < allocationFailsBelow ? 'failed' : 'ok'
  return figures({ status, pValue, observed: entered / evaluated, expected: share })
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}
