import { counted } from '../../../../ui/words/lists.ts'
import { mean, type Results } from '../figures.ts'
import { skewnessWords } from '../skewness.ts'
import { inWindowWords, type Verdict } from '../verdict.ts'
import type { MetricGroup } from './metric-rows.ts'

/** What a reader of the table must know, a sentence for each line. What holds for all metrics is said once. */
export function notesOf(
  results: Pick<Results, 'metrics' | 'settings' | 'units' | 'progress' | 'ruleStatus' | 'endedAt'>,
  { lines }: Pick<Verdict, 'lines'>,
  groups: readonly MetricGroup[],
): string[] {
  const rows = groups.flatMap(({ metrics }) => metrics.flatMap((each) => each.rows))
  const isAnyOpen = rows.some(({ isOpen }) => isOpen)
  const waiting = results.metrics.map((metric) => ({ name: metric.name, words: inWindowWords(results, metric) }))
  const isSame = new Set(waiting.map(({ words }) => words)).size === 1
  return [
    ...(isSame ? waiting.slice(0, 1) : waiting).flatMap(({ name, words }) =>
      // The verdict says it itself while it waits for the first primary metric.
      words === undefined || lines.includes(words) ? [] : [isSame ? words : `${name}: ${words}`],
    ),
    ...results.metrics.flatMap((metric) =>
      metric.winsorizedAt === null
        ? []
        : [
            `${metric.name}: ${counted(metric.winsorizedUnits, 'visitor')} above ${mean(metric, metric.winsorizedAt)} ${metric.winsorizedUnits === 1 ? 'counts' : 'count'} no more than that.`,
          ],
    ),
    ...(rows.some(({ interval }) => interval && (interval.isBeyondLow || interval.isBeyondHigh))
      ? ['An interval with an arrow extends beyond the possible shares: there are too few visitors.']
      : []),
    ...(isAnyOpen ? results.metrics.flatMap((metric) => skewnessWords(metric) ?? []) : []),
  ]
}
