import type { Comparison, Dimension, MetricResult } from './figures.ts'
import { type Interval, intervalOf } from './interval.ts'
import { skewnessWords } from './skewness.ts'
import { isTooFew } from './too-few.ts'

/** A variation among the visitors with one value, against the baseline among the same visitors. */
export interface DimensionRow {
  value: string
  /** Without it, a value. */
  kind: Dimension['values'][number]['kind']
  /** Visitors with this value, in all variations. */
  units: number
  metric: MetricResult
  variationId: string
  mean: number | null
  originalMean: number | null
  comparison: Comparison
  isTooFew: boolean
  /** A few visitors decide much of the metric, and a variation has too few for that. */
  isSkewed: boolean
  interval: Interval | undefined
}

/** The comparisons of a metric, value by value. */
export function rowsOf({ values }: Dimension, metricId: string): DimensionRow[] {
  return values.flatMap(({ value, kind, units, metrics }) => {
    const metric = metrics.find((each) => each.metricId === metricId)
    const original = metric?.variations.find(({ comparison }) => comparison === null)
    return (metric?.variations ?? []).flatMap(({ variationId, mean, comparison }) =>
      metric && comparison
        ? [
            {
              ...{ value, kind, units, metric, variationId, mean, comparison },
              originalMean: original?.mean ?? null,
              isTooFew: isTooFew(comparison.status),
              isSkewed: skewnessWords(metric) !== undefined,
              interval: intervalOf(metric, comparison),
            },
          ]
        : [],
    )
  })
}

/** Whether it is one value. The others are what is left of the visitors. */
export const isValue = ({ kind = 'VALUE' }: Pick<Dimension['values'][number], 'kind'>): boolean => kind === 'VALUE'

const leftNames = { OTHER: '(other)', NONE: '(none)' }

/** What a row is about. A value of visitors that reads like what is left is in quotes. */
export function nameOfRow({ value, kind = 'VALUE' }: Pick<DimensionRow, 'value' | 'kind'>): string {
  if (kind !== 'VALUE') return leftNames[kind]
  return Object.values(leftNames).includes(value.trim()) ? `"${value}"` : shownValue(value)
}

/** Values come from visitors, and some show nothing: an empty one, spaces, marks of direction. */
export const shownValue = (value: string): string => (/[^\s\p{C}\p{Z}]/u.test(value) ? value : '(blank)')
