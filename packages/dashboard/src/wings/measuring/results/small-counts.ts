import { points, pValue, type Results } from './figures.ts'

/**
 * What can be said of comparisons with few conversions, a sentence for each: "Paid orders, Short form: between −3.0
 * points and +12.0 points; p-value 0.213."
 */
export function smallCountSentences(
  { metrics }: Pick<Results, 'metrics'>,
  nameOf: (variationId: string) => string,
): string[] {
  return metrics.flatMap((metric) =>
    metric.variations.flatMap(({ variationId, comparison }) => {
      const { ciLow = null, ciHigh = null, fisherPValue = null } = comparison?.smallCounts ?? {}
      if (ciLow === null || ciHigh === null) return []
      const p = fisherPValue === null ? '' : `; p-value ${pValue(fisherPValue)}`
      return [`${metric.name}, ${nameOf(variationId)}: between ${points(ciLow)} and ${points(ciHigh)}${p}.`]
    }),
  )
}
