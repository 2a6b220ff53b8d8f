import type { Comparison, MetricResult } from './figures.ts'
import { isTooFew } from './too-few.ts'

export interface Interval {
  estimate: number
  /** Where it is drawn from and to: within what is possible. */
  low: number
  high: number
  /** Otherwise it is a difference of two means. */
  isLift: boolean
  /** With few visitors, the interval of a share can go beyond what a share can be. */
  isBeyondLow: boolean
  isBeyondHigh: boolean
}

/** The interval of the lift; where there is none, that of the difference. Undefined without one. */
export function intervalOf(
  { type }: Pick<MetricResult, 'type'>,
  { status, lift, difference }: Comparison,
): Interval | undefined {
  if (isTooFew(status)) return undefined
  const isLift = lift.estimate !== null && lift.ciLow !== null && lift.ciHigh !== null
  const { estimate, ciLow, ciHigh } = isLift ? lift : difference
  if (estimate === null || ciLow === null || ciHigh === null) return undefined
  // A share cannot fall by more than all of it, nor rise by more than 100 points.
  const [least, most] =
    type === 'PROPORTION'
      ? [-1, isLift ? Number.POSITIVE_INFINITY : 1]
      : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  return {
    estimate,
    low: Math.max(least!, ciLow),
    high: Math.min(most!, ciHigh),
    isLift,
    isBeyondLow: ciLow < least!,
    isBeyondHigh: ciHigh > most!,
  }
}
