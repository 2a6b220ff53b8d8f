import { counted } from '../../../ui/words/lists.ts'
import type { MetricResult } from './figures.ts'

/** Says that a few visitors decide a metric, while a variation has too few for it. Undefined if that is not so. */
export function skewnessWords({ name, variations, winsorizedAt }: MetricResult): string | undefined {
  const short = variations.filter(({ units, unitsForSkewness }) => units < (unitsForSkewness ?? 0))
  if (short.length === 0) return undefined
  const needed = Math.max(...short.map(({ unitsForSkewness }) => unitsForSkewness ?? 0))
  const least = Math.min(...variations.map(({ units }) => units))
  const cap = winsorizedAt === null ? ' A metric with a cap needs fewer.' : ''
  return `A few visitors decide much of ${name}, so its intervals can be wrong with fewer than about ${counted(needed, 'visitor')} in each variation. The smallest has ${least.toLocaleString('en')}.${cap}`
}
