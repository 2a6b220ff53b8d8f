import type { Results } from '../../../measuring/results/index.ts'

/** The metric whose difference is the incremental revenue. */
export const revenueKey = 'revenue_per_visitor'
export const marginKey = 'margin_per_visitor'
/** The variation that shows recommendations, and the one that shows none. */
export const shownKey = 'default'
export const controlKey = 'none'

/** At least this share of the orders must have a margin before it guards a test. */
const leastWithMargin = 0.95

export const flagKeyOf = (placementKey: string): string => `recommend-${placementKey}`

export const guardsMargin = ({ orders, withMargin }: { orders: number; withMargin: number }): boolean =>
  orders > 0 && withMargin >= leastWithMargin * orders

interface Interval {
  estimate: number
  ciLow: number
  ciHigh: number
}

/** What a placement brings, by the newest results of its test. */
export interface Figures {
  asOf: string
  visitors: { shown: number; control: number }
  /** The difference of revenue per visitor. */
  perVisitor: Interval
  /** Times the visitors to whom the placement was shown. */
  incrementalRevenue: Interval
}

/** Null without an interval. */
export function figuresIn(results: Pick<Results, 'units' | 'metrics' | 'dataThrough' | 'generatedAt'>): Figures | null {
  const { units, metrics, dataThrough, generatedAt } = results
  const [shown, control] = [shownKey, controlKey].map((key) => units.variations.find((each) => each.key === key))
  const revenue = metrics
    .find(({ key }) => key === revenueKey)
    ?.variations.find(({ variationId }) => variationId === shown?.variationId)
  const difference = revenue?.comparison?.difference
  if (!shown || !control || !revenue || !difference) return null
  const { estimate, ciLow, ciHigh } = difference
  if (estimate === null || ciLow === null || ciHigh === null) return null
  // Zero visitors times a negative difference would be −0.
  const times = (amount: number): number => amount * revenue.units || 0
  return {
    asOf: dataThrough ?? generatedAt,
    visitors: { shown: shown.units, control: control.units },
    perVisitor: { estimate, ciLow, ciHigh },
    incrementalRevenue: { estimate: times(estimate), ciLow: times(ciLow), ciHigh: times(ciHigh) },
  }
}
