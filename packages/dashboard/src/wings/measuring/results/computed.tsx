import { Anchor, Stack, Text } from '@mantine/core'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { percent } from '../../../ui/words/percent.ts'
import { hoursInWords } from '../metrics/metric-words.ts'
import type { Results, Settings } from './figures.ts'
import type { Arms } from './metric-tables.tsx'
import { smallCountSentences } from './small-counts.ts'
import type { Verdict } from './verdict.ts'

/** The settings behind the verdict, for people who check it. */
export function Computed({ results, arms, shows }: { results: Results; arms: Arms; shows: Verdict['shows'] }) {
  const { settings } = results
  if (!settings) return null
  const isOpen = shows === 'figures' || (shows === 'counts' && settings.test === 'SEQUENTIAL')
  const few = isOpen ? smallCountSentences(results, arms.nameOf) : []
  return (
    <Disclosure summary="How it is computed">
      <Stack gap="sm">
        {settingSentences(settings, results).map((words) => (
          <Text size="sm" key={words}>
            {words}
          </Text>
        ))}
        {few.length > 0 && (
          <>
            <Text size="sm">
              So few visitors have converted that the usual figures would be wrong. These are made for few, hold for one
              look, and decide nothing: the difference in points (Newcombe’s interval), and the chance to see as much
              without an effect (Fisher’s exact test).
            </Text>
            {few.map((words) => (
              <Text size="sm" key={words}>
                {words}
              </Text>
            ))}
          </>
        )}
        <Text size="sm">
          <Anchor href="/docs/statistics" inherit underline="always">
            What each figure means
          </Anchor>
        </Text>
      </Stack>
    </Disclosure>
  )
}

const corrections = {
  HOLM: 'by Holm’s method',
  BENJAMINI_HOCHBERG: 'by the method of Benjamini and Hochberg',
  NONE: undefined,
}

/** The settings of the test in sentences. */
function settingSentences(settings: Settings, { metrics, units }: Results): string[] {
  const sure = percent(Math.round((1 - settings.alpha) * 100))
  const comparisons = metrics.filter(({ role }) => role === 'PRIMARY').length * Math.max(0, units.variations.length - 1)
  const method = corrections[settings.correction]
  return [
    settings.test === 'SEQUENTIAL'
      ? `The test is sequential: its ${sure} intervals hold however often you look.`
      : `The test has a fixed length: its ${sure} intervals hold for one look, at its end.`,
    comparisons > 1 && method
      ? `The verdict is corrected for ${counted(comparisons, 'comparison')} ${method}. The intervals are not.`
      : 'One comparison decides, so nothing is corrected.',
    ...(settings.conversionWindowHours === null
      ? []
      : [`Events count for ${hoursInWords(settings.conversionWindowHours)} after the first exposure of a visitor.`]),
    settings.inProgressConversions === 'EXCLUDE'
      ? 'A visitor counts in a metric when the window after the first exposure is over.'
      : 'A visitor counts in a metric from the first exposure on.',
    ...(settings.cuped.enabled
      ? [
          `CUPED uses what visitors did in the ${settings.cuped.lookbackDays === 1 ? 'day' : `${settings.cuped.lookbackDays} days`} before, for narrower intervals.`,
        ]
      : []),
  ]
}
