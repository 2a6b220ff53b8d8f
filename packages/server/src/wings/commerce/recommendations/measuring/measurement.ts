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
  /** The same of the margin; null while the test does not measure it, or has no interval of it. */
  margin: { perVisitor: Interval; incremental: Interval } | null
}

/** Null without an interval. */
export function figuresIn(results: Pick<Results, 'units' | 'metrics' | 'dataThrough' | 'generatedAt'>): Figures | null {
  const { units, metrics, dataThrough, generatedAt } = results
  const [shown, control] = [shownKey, controlKey].map((key) => units.variations.find((each) => each.key === key))
  if (!shown || !control) return null
  const revenue = differenceIn(metrics, revenueKey, shown.variationId)
  if (!revenue) return null
  return {
    asOf: dataThrough ?? generatedAt,
    visitors: { shown: shown.units, control: control.units },
    perVisitor: revenue.perVisitor,
    incrementalRevenue: revenue.incremental,
    margin: differenceIn(metrics, marginKey, shown.variationId),
  }
}

/** What a metric of money differs by, per visitor and times the visitors who count for it. */
function differenceIn(metrics: Results['metrics'], key: string, variationId: string): Figures['margin'] {
  const found = metrics
    .find((metric) => metric.key === key)
    ?.variations.find((variation) => variation.variationId === variationId)
  const difference = found?.comparison?.difference
  if (!found || !difference) return null
  const { estimate, ciLow, ciHigh } = difference
  if (estimate === null || ciLow === null || ciHigh === null) return null
  // Zero visitors times a negative difference would be −0.
  const times = (amount: number): number => amount * found.units || 0
  return {
    perVisitor: { estimate, ciLow, ciHigh },
    incremental: { estimate: times(estimate), ciLow: times(ciLow), ciHigh: times(ciHigh) },
  }
}
