import { containing } from '../../../ui/table/containing.ts'
import type { Metric } from './metric-words.ts'

/** The metrics whose name, key or event contains the text, in any case. Archived ones come last. */
export const matching = (metrics: readonly Metric[], text: string): Metric[] =>
  containing(metrics, text, ({ name, key, eventKey, denominator }) => [
    name,
    key,
    eventKey,
    denominator?.eventKey,
  ]).toSorted((one, other) => Number(one.archived) - Number(other.archived))
