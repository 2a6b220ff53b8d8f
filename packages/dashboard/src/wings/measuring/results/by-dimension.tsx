import { NativeSelect, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Section } from '../../../ui/layout/section.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { axisOf } from './axis.ts'
import { type DimensionRow, isValue, nameOfRow, rowsOf } from './dimension-rows.ts'
import { IntervalPlot } from './drawings.tsx'
import { type Dimension, mean, type Results, share } from './figures.ts'
import { type Arms, intervalTitle, isBeyond, labelOf, meanTitle, TooWide } from './metric-tables.tsx'
import classes from './results.module.css'
import { effectWords } from './verdict.ts'

export interface ByDimension {
  /** The dimension that was chosen: empty for none. */
  chosen: string
  choose: (name: string) => void
  /** The figures of its values, once they are there. */
  dimension: Dimension | undefined
  /** Placeholders, or what failed. */
  instead?: ReactNode
}

interface ByDimensionProps extends ByDimension {
  results: Results
  arms: Arms
}

const maxValues = 20

/** The figures of each country, browser and the like. They explore: nothing is advised by them. */
export function ByDimensionSection({ results, arms, chosen, choose, dimension, instead }: ByDimensionProps) {
  const { dimensions, metrics } = results
  const [key, setKey] = useState('')
  const metric = metrics.find(({ metricId }) => metricId === key) ?? metrics[0]
  if (!metric) return null
  const isFull = chosen !== '' && (dimension?.values.filter(isValue).length ?? 0) >= maxValues
  return (
    <Section
      title={chosen === '' ? 'Breakdown by attribute' : `By ${chosen}`}
      description={`Exploratory: it shows where to look next, and decides nothing. With many values, some differ by chance.${isFull ? ` The ${maxValues} values with the most visitors are shown.` : ''}`}
      actions={
        dimensions.length > 0 && (
          <div className={classes.choices}>
            {metrics.length > 1 && chosen !== '' && (
              <NativeSelect
                label="Metric"
                value={metric.metricId}
                onChange={(event) => setKey(event.currentTarget.value)}
                data={metrics.map(({ metricId, name }) => ({ value: metricId, label: name }))}
              />
            )}
            <NativeSelect
              label="Split by"
              value={chosen}
              onChange={(event) => choose(event.currentTarget.value)}
              data={[{ value: '', label: 'Nothing' }, ...dimensions]}
            />
          </div>
        )
      }
    >
      {dimensions.length === 0 && (
        <Text size="sm">
          Exposures have no attributes to split by. Name some in <code>dimensions</code> of the SDK, such as country.
        </Text>
      )}
      {chosen !== '' &&
        (instead ?? (dimension && <Values {...{ results, arms, dimension }} metricId={metric.metricId} />))}
    </Section>
  )
}

interface ValuesProps {
  results: Results
  arms: Arms
  dimension: Dimension
  metricId: string
}

function Values({ results, arms, dimension, metricId }: ValuesProps) {
  const rows = rowsOf(dimension, metricId)
  const metric = rows[0]?.metric
  if (!metric) return <Text size="sm">No visitor has a value of {dimension.name} yet.</Text>
  const drawn = rows.flatMap(({ interval }) => interval ?? [])
  const isLift = drawn.some((each) => each.isLift)
  const shown = drawn.filter((each) => each.isLift === isLift)
  const columns = [
    ...figureColumns({ results, arms, dimension }, rows[0]!),
    ...(shown.length > 0 ? [intervalColumn({ results, arms, metric, shown, isLift })] : []),
  ]
  const values = dimension.values.filter(isValue)
  const told = values.reduce((sum, { units }) => sum + units, 0)
  return (
    <Stack gap="xs">
      <DataTable
        caption={`${metric.name} by ${dimension.name}`}
        rows={rows}
        keyOf={({ kind, value, variationId }) => `${kind} ${value} ${variationId}`}
        columns={columns}
      />
      {shown.some(isBeyond) && <TooWide />}
      <Text size="sm" c="dimmed">
        {told < results.units.total ? `${share(told / results.units.total)} of the visitors` : 'All visitors'}{' '}
        {values.length === 1 ? 'have this value.' : `are in one of ${values.length} values.`}
      </Text>
    </Stack>
  )
}

const Figure = ({ children }: { children: string }) => <span className={classes.figures}>{children}</span>

function figureColumns(
  { results, arms, dimension }: Omit<ValuesProps, 'metricId'>,
  { metric, variationId }: DimensionRow,
): Column<DimensionRow>[] {
  const isOnly = results.units.variations.length === 2
  return [
    { title: dimension.name, cell: (row) => <bdi>{nameOfRow(row)}</bdi> },
    { title: 'Visitors', cell: ({ units }) => <Figure>{units.toLocaleString('en')}</Figure> },
    ...(isOnly
      ? []
      : [
          {
            title: 'Variation',
            cell: ({ variationId }: DimensionRow) => (
              <Variation name={arms.nameOf(variationId)} place={arms.armOf(variationId)} />
            ),
          },
        ]),
    {
      title: isOnly ? `${meanTitle[metric.type]}, ${arms.nameOf(variationId)}` : meanTitle[metric.type],
      cell: (row) => <Figure>{row.mean === null ? 'None yet' : mean(metric, row.mean)}</Figure>,
    },
    {
      title: 'Baseline',
      cell: (row) => <Figure>{row.originalMean === null ? 'None yet' : mean(metric, row.originalMean)}</Figure>,
    },
    {
      title: 'Change',
      cell: ({ comparison, isTooFew, isSkewed }) =>
        isTooFew ? (
          <Text size="sm" c="dimmed" component="span">
            Too few to compare
          </Text>
        ) : (
          <div className={classes.figures}>
            <Effect {...{ metric, comparison }} />
            {comparison.significant && <Text size="xs">Excludes zero, also after the correction for all values</Text>}
            {isSkewed && <Text size="xs">A few visitors decide much, so this can be wrong</Text>}
          </div>
        ),
    },
  ]
}

/** The change, and below it the interval. */
function Effect({ metric, comparison }: Pick<DimensionRow, 'metric' | 'comparison'>) {
  const [effect, interval] = effectWords(metric, comparison).split(', between ')
  return (
    <>
      {effect}
      {interval && (
        <Text size="xs" c="dimmed" className={classes.unbroken ?? ''}>
          {interval.replace(' and ', ' to ')}
        </Text>
      )}
    </>
  )
}

interface IntervalColumn extends Pick<ValuesProps, 'results' | 'arms'> {
  metric: DimensionRow['metric']
  /** What is drawn, on one axis: either lifts or differences. */
  shown: readonly { low: number; high: number }[]
  isLift: boolean
}

function intervalColumn({ results, arms, metric, shown, isLift }: IntervalColumn): Column<DimensionRow> {
  const axis = axisOf(shown.flatMap(({ low, high }) => [low, high]))
  return {
    title: intervalTitle(results.settings),
    cell: ({ interval, variationId }) =>
      interval && interval.isLift === isLift ? (
        <IntervalPlot {...interval} axis={axis} arm={arms.armOf(variationId)} label={labelOf(metric, isLift)} />
      ) : null,
  }
}
