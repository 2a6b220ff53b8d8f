import { Stack, Text, Title } from '@mantine/core'
import { Variation } from '../../../ui/names/variation.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { capital, counted } from '../../../ui/words/lists.ts'
import { axisOf } from './axis.ts'
import { IntervalPlot } from './drawings.tsx'
import { excludedWords } from './excluded.ts'
import {
  change,
  difference,
  type MetricResult,
  mean,
  type Results,
  type Settings,
  share,
  type VariationResult,
} from './figures.ts'
import { type Interval, intervalOf } from './interval.ts'
import classes from './results.module.css'
import { skewnessWords } from './skewness.ts'
import { conversionsOf, guardrailWords, isTooFew } from './verdict.ts'

/** The variations of a flag, by id. */
export interface Arms {
  nameOf: (variationId: string) => string
  /** The place in the flag, which gives sign and color. */
  armOf: (variationId: string) => number
}

interface MetricTableProps {
  metric: MetricResult
  results: Results
  arms: Arms
  shows: 'counts' | 'figures'
  /** Only what is proven has colors. */
  isProven: boolean
  /** Who does not count yet, unless it is said above. */
  waiting: string | undefined
}

/** The figures of a metric, a row for each variation. */
export function MetricTable(props: MetricTableProps) {
  const { metric, shows, waiting } = props
  const isJudged = shows === 'figures'
  const drawn = drawnOf(metric)
  const skewed = isJudged && skewnessWords(metric)
  return (
    <Stack gap="xs" className={classes.metric ?? ''}>
      <div className={classes.meta}>
        <Title order={3}>{metric.name}</Title>
        <Text size="sm" c="dimmed" component="span">
          {metric.direction === 'DECREASE' ? 'Lower is better' : 'Higher is better'}
          {metric.winsorizedAt !== null &&
            `; ${counted(metric.winsorizedUnits, 'visitor')} above ${mean(metric, metric.winsorizedAt)} ${metric.winsorizedUnits === 1 ? 'counts' : 'count'} no more than that`}
        </Text>
      </div>
      <DataTable
        caption={metric.name}
        rows={metric.variations}
        keyOf={({ variationId }) => variationId}
        columns={columnsOf(props)}
      />
      {waiting && (
        <Text size="sm" c="dimmed">
          {waiting}
        </Text>
      )}
      {isJudged && drawn.some(isBeyond) && <TooWide />}
      {skewed && (
        <Notice tone="warning" title="Read the interval with care">
          {skewed}
        </Notice>
      )}
    </Stack>
  )
}

const drawnOf = (metric: MetricResult): Interval[] =>
  metric.variations.flatMap(({ comparison }) => (comparison ? (intervalOf(metric, comparison) ?? []) : []))

function columnsOf({ metric, results, arms, shows, isProven }: MetricTableProps): Column<VariationResult>[] {
  const { settings } = results
  const drawn = drawnOf(metric)
  const isLift = drawn.some((each) => each.isLift)
  const axis = axisOf(drawn.filter((each) => each.isLift === isLift).flatMap(({ low, high }) => [low, high]))
  const isJudged = shows === 'figures'
  return [
    {
      title: 'Variation',
      cell: ({ variationId }) => <Variation name={arms.nameOf(variationId)} place={arms.armOf(variationId)} />,
    },
    { title: 'Visitors', cell: ({ units }) => <Figure>{units.toLocaleString('en')}</Figure> },
    ...countColumns(metric),
    ...(isJudged
      ? [
          { title: meanTitle[metric.type], cell: (row: VariationResult) => <Mean metric={metric} row={row} /> },
          {
            title: 'Change',
            cell: (row: VariationResult) => (
              <Change metric={metric} row={row} settings={settings} isProven={isProven && metric.role === 'PRIMARY'} />
            ),
          },
        ]
      : []),
    ...(isJudged && drawn.length > 0
      ? [
          {
            title: intervalTitle(settings),
            cell: ({ variationId, comparison }: VariationResult) => {
              const interval = comparison && intervalOf(metric, comparison)
              if (!interval || interval.isLift !== isLift) return null
              return (
                <IntervalPlot {...interval} axis={axis} arm={arms.armOf(variationId)} label={labelOf(metric, isLift)} />
              )
            },
          },
        ]
      : []),
  ]
}

export const meanTitle = { PROPORTION: 'Rate', MEAN: 'Per visitor', RATIO: 'Ratio' }

export const intervalTitle = (settings: Settings | null): string =>
  `${settings ? Math.round((1 - settings.alpha) * 100) : 95} % interval`

function countColumns(metric: MetricResult): Column<VariationResult>[] {
  if (metric.type === 'PROPORTION')
    return [{ title: 'Converted', cell: ({ sum }) => <Figure>{sum.toLocaleString('en')}</Figure> }]
  if (metric.type === 'MEAN') return [{ title: 'Total', cell: ({ sum }) => <Figure>{mean(metric, sum)}</Figure> }]
  return []
}

const Figure = ({ children }: { children: string }) => <span className={classes.figures}>{children}</span>

function Mean({ metric, row }: { metric: MetricResult; row: VariationResult }) {
  if (row.mean === null) return 'None yet'
  return <Figure>{mean(metric, row.mean)}</Figure>
}

interface ChangeProps {
  metric: MetricResult
  row: VariationResult
  settings: Settings | null
  isProven: boolean
}

function Change({ metric, row: { comparison, units }, settings, isProven }: ChangeProps) {
  if (!comparison)
    return (
      <Text size="sm" c="dimmed" component="span">
        Baseline
      </Text>
    )
  if (isTooFew(comparison.status)) {
    const isFew = units < (settings?.minUnits ?? 0)
    const conversions = conversionsOf(metric)
    return (
      <Text size="sm" c="dimmed" component="span">
        {isFew || conversions === undefined
          ? `Too few visitors: at least ${settings?.minUnits} in each variation`
          : `Too few conversions: at least ${settings?.minConversions} in both variations together, ${conversions.toLocaleString('en')} now`}
      </Text>
    )
  }
  const { lift, difference: d } = comparison
  const hasLift = lift.estimate !== null && lift.ciLow !== null && lift.ciHigh !== null
  const estimate = hasLift ? change(lift.estimate!) : d.estimate === null ? null : difference(metric, d.estimate)
  const [low, high] = hasLift
    ? [change(lift.ciLow!), change(lift.ciHigh!)]
    : [d.ciLow, d.ciHigh].map((end) => (end === null ? null : difference(metric, end)))
  const isGood = (d.estimate ?? 0) > 0 === (metric.direction === 'INCREASE')
  return (
    <div>
      {estimate === null ? (
        'All visitors have the same value'
      ) : isProven && comparison.significant ? (
        <StatusBadge tone={isGood ? 'good' : 'bad'}>{estimate}</StatusBadge>
      ) : (
        <Figure>{estimate}</Figure>
      )}
      {low && high && (
        <Text size="xs" c="dimmed" component="div" className={classes.figures ?? ''}>
          between {low} and {high}
        </Text>
      )}
      {(comparison.status === 'zero_baseline' || comparison.status === 'lift_unbounded') && (
        <Text size="xs" c="dimmed" component="div">
          The lift is unknown: the baseline has too few conversions.
        </Text>
      )}
      {comparison.guardrail?.state === 'BREACHED' ? (
        <StatusBadge tone="bad">{capital(guardrailWords(comparison))}</StatusBadge>
      ) : (
        comparison.guardrail && (
          <Text size="xs" component="div">
            {capital(guardrailWords(comparison))}
          </Text>
        )
      )}
    </div>
  )
}

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
