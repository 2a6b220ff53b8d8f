import type { Metric } from './metric-words.ts'

/** The metrics whose name, key or event contains the text, in any case. Archived ones come last. */
export function matching(metrics: readonly Metric[], text: string): Metric[] {
  const wanted = text.trim().toLowerCase()
  return metrics
    .filter(({ name, key, eventKey, denominator }) =>
      [name, key, eventKey, denominator?.eventKey ?? ''].some((each) => each.toLowerCase().includes(wanted)),
    )
    .toSorted((one, other) => Number(one.archived) - Number(other.archived))
}
