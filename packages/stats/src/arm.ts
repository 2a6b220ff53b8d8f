import type { Moments, PairMoments } from './moments.ts'
import { varianceOf } from './moments.ts'

/** One arm of a test: its units, the mean of a unit, and the variance of one unit. */
export interface Arm {
  n: number
  mean: number
  variance: number
  /** The mean as an offset and what is beyond it. Default: an offset of 0. */
  offset?: number
  beyond?: number
}

/**
 * The difference of two means. Those of large values, such as 1e12 and 1e12 + 1, lose it in rounding: they need sums of
 * what is beyond an offset that both share.
 */
export function differenceOf(control: Arm, treatment: Arm): number {
  return (
    (treatment.offset ?? 0) -
    (control.offset ?? 0) +
    (treatment.beyond ?? treatment.mean) -
    (control.beyond ?? control.mean)
  )
}

/** The part of a mean beyond an offset, and the mean. */
export const beyond = (offset: number, part: number) => ({ mean: offset + part, offset, beyond: part })

/** Units, and how many of them converted. */
export interface Conversions {
  n: number
  sum: number
}

/** A share of units that converted. The variance of a unit is m(1 - m). */
export function proportionArm({ n, sum }: Conversions): Arm {
  const mean = sum / n
  return { n, mean, variance: mean * (1 - mean) }
}

/**
 * A value per unit, zeros included. The variance of a unit is the sample variance.
 *
 * @param offset what was taken from each value before it was added up
 */
export function meanArm(moments: Moments, offset = 0): Arm {
  return { n: moments.n, ...beyond(offset, moments.sum / moments.n), variance: varianceOf(moments) }
}

/**
 * A ratio of two sums, y over x, by the delta method: `v = (var y - 2R · cov(y, x) + R² · var x) / x̄²`.
 * It counts units, not events: events of one unit depend on each other.
 * Source: Deng, Knoblich, Lu, "Applying the Delta Method in Metric Analytics", KDD 2018.
 *
 * @param offset the ratio whose share, `offset · x`, was taken from each y
 */
export function ratioArm({ n, sumY, m2Y, sumX, m2X, cXY }: PairMoments, offset = 0): Arm {
  const ratio = sumY / sumX
  const squares = m2Y - 2 * ratio * cXY + ratio ** 2 * m2X
  // Exact proportionality of y and x leaves a rest that is only rounding.
  const rest = Math.abs(squares) <= 1e-12 * (m2Y + ratio ** 2 * m2X) ? 0 : squares
  return { n, ...beyond(offset, ratio), variance: n < 2 ? Number.NaN : rest / (n - 1) / (sumX / n) ** 2 }
}
