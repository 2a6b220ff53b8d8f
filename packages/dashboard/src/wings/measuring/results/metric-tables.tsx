import { Stack, Text } from '@mantine/core'
import { Variation } from '../../../ui/names/variation.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { percent } from '../../../ui/words/percent.ts'
import { excludedWords } from './excluded.ts'
import { change, difference, type MetricResult, type Results, type Settings, share } from './figures.ts'
import type { Interval } from './interval.ts'
import classes from './results.module.css'

/** The variations of a flag, by id. */
export interface Arms {
  nameOf: (variationId: string) => string
  /** The place in the flag, which gives sign and color. */
  armOf: (variationId: string) => number
}

export const meanTitle = { PROPORTION: 'Rate', MEAN: 'Per visitor', RATIO: 'Ratio' }

export const intervalTitle = (settings: Settings | null): string =>
  `${percent(settings ? Math.round((1 - settings.alpha) * 100) : 95)} interval`

const Figure = ({ children }: { children: string }) => <span className={classes.figures}>{children}</span>

/** Writes a mark of the axis. */
export const labelOf = (metric: MetricResult, isLift: boolean) =>
  isLift ? change : (value: number) => difference(metric, value)

/** The note below a drawing whose intervals end beyond it. */
export function TooWide() {
  return (
    <Text size="sm" c="dimmed">
      An interval without an end mark extends beyond the possible shares: there are too few visitors. Its figures are in
      the table.
    </Text>
  )
}

export const isBeyond = ({ isBeyondLow, isBeyondHigh }: Interval): boolean => isBeyondLow || isBeyondHigh

/** Who was counted, and who was not. */
export function VisitorsTable({ results, arms }: { results: Results; arms: Arms }) {
  const { variations, excluded } = results.units
  const ignored = excludedWords(excluded)
  return (
    <Stack gap="xs">
      <DataTable
        caption="Visitors by variation"
        rows={variations}
        keyOf={({ variationId }) => variationId}
        columns={[
          {
            title: 'Variation',
            cell: ({ variationId }) => <Variation name={arms.nameOf(variationId)} place={arms.armOf(variationId)} />,
          },
          { title: 'Visitors', cell: ({ units }) => <Figure>{units.toLocaleString('en')}</Figure> },
          { title: 'Share', cell: (row) => <Figure>{row.share === null ? 'None yet' : share(row.share)}</Figure> },
          { title: 'Planned', cell: ({ expectedShare }) => <Figure>{share(expectedShare)}</Figure> },
        ]}
      />
      {variations.some(({ weight, expectedShare }) => Math.abs(weight - expectedShare) > 1e-6) && (
        <Text size="sm">
          The split changed while the test ran. Visitors of each split are compared among themselves, then averaged.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {ignored.length > 0 ? `Not counted: ${ignored.join(', ')}.` : 'Everyone who was seen is counted.'}
      </Text>
    </Stack>
  )
}
