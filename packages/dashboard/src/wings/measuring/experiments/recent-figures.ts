import { counted } from '../../../ui/words/lists.ts'
import type { SizeValues } from '../calculators/size-form.ts'
import type { RecentFigures } from './experiment.ts'

/** The fields of the calculator that recent figures fill in. */
export function knownSize({ visitors, metrics }: RecentFigures, metricKey: string | undefined): Partial<SizeValues> {
  const metric = metrics.find(({ key }) => key === metricKey)
  const figures = metric?.figures
  const isRate = metric?.type === 'PROPORTION'
  return {
    ...(visitors && { visitorsPerDay: String(Math.max(1, Math.round(visitors.perDay))) }),
    // A lift is a fraction of the baseline, so one of 0 cannot be used.
    ...(figures && figures.baseline !== 0 && { baseline: plain(isRate ? figures.baseline * 100 : figures.baseline) }),
    ...(figures?.stddev && { stddev: plain(figures.stddev) }),
  }
}

/** Where the figures come from, in sentences. */
export function recentWords(
  { visitors, metrics }: RecentFigures,
  metric: { key: string; name: string } | undefined,
): string {
  const figures = metrics.find(({ key }) => key === metric?.key)?.figures
  if (!visitors && !figures) return 'Nothing was measured here in the last 14 days. Enter what you expect.'
  const parts = [
    visitors && `${counted(visitors.units, 'new visitor')} ${ofSource(visitors.source)}`,
    figures && metric && `${metric.name} of ${counted(figures.units, 'visitor')} ${ofSource(figures.source)}`,
  ].filter((part) => typeof part === 'string')
  return `From the last 14 days: ${parts.join(', ')}. Change what you know better.`
}

/** Four significant digits, as a person would type them. */
const plain = (value: number): string => String(Number(value.toPrecision(4)))

/** Where figures come from. */
const ofSource = ({ flagKey }: { flagKey: string | null }): string =>
  flagKey === null ? 'of a web experiment' : `of the flag ${flagKey}`
