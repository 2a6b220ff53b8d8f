import { chiSquareSf } from './distributions.ts'
import { type Figures, figures } from './figures.ts'
import type { HealthStatus } from './srm.ts'

const daysOfWeek = 7
const maxWeeks = 4
const dropBeyond = -4
/** Without a unit, a day fails where the same weekday had so many, or before a full week an average day. */
const silentDay = { sameWeekday: 10, anyDay: 30 }
/** From the median of the sizes of normal values to their standard deviation. */
const toDeviation = 1.4826
const starvedBelow = 1e-6
const allocationFailsBelow = 0.0005
const silentAfterHours = 6
/** After units came: a night is silence too, and a weekend may be short of visitors. */
const silentAgain = { hours: 24, expected: 30 }

/**
 * Whether the last complete day has far fewer units than it should have: below `dropThreshold` of what the same weekday
 * had in up to 4 weeks before, and by more than 4 standard deviations, both of a count and of the traffic itself. With
 * the n days compared, these are `sqrt(expected · (1 + 1/n))`, and on the scale of logarithms `σ · sqrt(1 + 1/n)`, where
 * σ comes from the median change from day to day in these weeks, which weekends do not move, nor the first days of a drop.
 * A single day with many units must not set the measure, so at most the median of the 7 days before is expected. Before
 * a full week, only a day without any unit gets a verdict.
 *
 * @param previousDays the days before, the oldest first; null for a day that does not count
 */
export function trafficDrop({
  previousDays,
  lastDay,
  dropThreshold = 0.5,
}: {
  previousDays: readonly (number | null)[]
  lastDay: number
  dropThreshold?: number
}): Figures<{ status: HealthStatus; observed: number; expected: number; z: number; threshold: number }> {
  const week = previousDays.slice(-daysOfWeek).filter((units) => units !== null)
  const sameWeekdays = Array.from({ length: maxWeeks }, (_, i) => previousDays.at(-daysOfWeek * (i + 1)))
  const before = sameWeekdays.filter((units) => typeof units === 'number')
  if (before.length === 0) {
    const expected = meanOf(week)
    const isSilent = lastDay === 0 && expected >= silentDay.anyDay
    const status = isSilent ? 'failed' : 'not_enough_data'
    return figures({ status, observed: lastDay, expected, z: Number.NaN, threshold: dropThreshold * expected })
  }
  const expected = Math.min(median(before), week.length > 0 ? median(week) : Number.POSITIVE_INFINITY)
  const spread = Math.sqrt(1 + 1 / before.length)
  const ofCount = (lastDay - expected) / (Math.sqrt(expected) * spread)
  const ofTraffic = logOf(lastDay) - logOf(expected)
  const noise = dailyNoise(previousDays.slice(-daysOfWeek * maxWeeks)) * spread
  const z = noise > 0 ? Math.max(ofCount, ofTraffic / noise) : ofCount
  const isDrop = lastDay < dropThreshold * expected && z < dropBeyond
  const isSilent = lastDay === 0 && expected >= silentDay.sameWeekday
  const status = !(expected > 0) ? 'not_enough_data' : isDrop || isSilent ? 'failed' : 'ok'
  return figures({ status, observed: lastDay, expected, z, threshold: dropThreshold * expected })
}

/**
 * Whether exposures stay away although SDKs report themselves: none at all in the 6 hours that a rule served, or none for
 * a day in which 30 units would have come at the rate of before.
 *
 * @param silentHours since the last exposure
 * @param expected the units that should have come since
 */
export function noExposures({
  servingHours,
  hasHeartbeats,
  exposures,
  silentHours = 0,
  expected = 0,
}: {
  servingHours: number
  hasHeartbeats: boolean
  exposures: number
  silentHours?: number
  expected?: number
}): HealthStatus {
  const isSilent = silentHours >= silentAgain.hours && expected >= silentAgain.expected
  if (exposures > 0) return isSilent && hasHeartbeats ? 'failed' : 'ok'
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

/** The standard deviation of the logarithm of a day, from the median change between days. */
function dailyNoise(days: readonly (number | null)[]): number {
  const known = days.filter((units) => units !== null)
  const changes = known.slice(1).map((units, i) => Math.abs(logOf(units) - logOf(known[i]!)))
  return changes.length === 0 ? 0 : (toDeviation * median(changes)) / Math.SQRT2
}

/** The logarithm of a day, which must also exist without units. */
const logOf = (units: number): number => Math.log(units + 0.5)

const meanOf = (values: readonly number[]): number => values.reduce((sum, units) => sum + units, 0) / values.length

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}
