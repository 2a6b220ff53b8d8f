import { NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Variation } from '../../../ui/names/variation.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { axisOf } from './axis.ts'
import { OverTime } from './drawings.tsx'
import { change, dayOf, type MetricResult, mean } from './figures.ts'
import type { Arms } from './metric-tables.tsx'
import classes from './results.module.css'
import {
  type Days,
  dailyLines,
  isCut,
  isDrawn,
  type Line,
  liftLines,
  type Point,
  seriesSentences,
  valuesToShow,
} from './series.ts'

/** How the results came about, day by day. */
export function OverTimeSection({ days, metrics, arms }: { days: Days; metrics: readonly MetricResult[]; arms: Arms }) {
  const shown = metrics.filter(({ metricId }) => isDrawn(liftLines(days, metricId)))
  const [chosen, setChosen] = useState(shown[0]?.metricId)
  const [isDaily, setIsDaily] = useState(false)
  const metric = shown.find(({ metricId }) => metricId === chosen) ?? shown[0]
  if (!metric) return null
  const lines = isDaily ? dailyLines(days, metric.metricId) : liftLines(days, metric.metricId)
  const axis = axisOf(valuesToShow(lines))
  const value = isDaily ? (value: number) => mean(metric, value) : change
  return (
    <Section
      title="Over time"
      description={
        isDaily
          ? 'The visitors of each day alone. Days differ by chance, so no verdict follows from them.'
          : 'Cumulative lift per day with its interval, which narrows as visitors come.'
      }
      actions={
        <div className={classes.choices}>
          {shown.length > 1 && (
            <NativeSelect
              label="Metric"
              value={metric.metricId}
              onChange={(event) => setChosen(event.currentTarget.value)}
              data={shown.map(({ metricId, name }) => ({ value: metricId, label: name }))}
            />
          )}
          <NativeSelect
            label="Show"
            value={isDaily ? 'daily' : 'cumulative'}
            onChange={(event) => setIsDaily(event.currentTarget.value === 'daily')}
            data={[
              { value: 'cumulative', label: 'Cumulative' },
              { value: 'daily', label: 'Day by day' },
            ]}
          />
        </div>
      }
    >
      <Stack gap="xs">
        <div className={classes.legend}>
          {lines.map(({ variationId }) => (
            <Variation key={variationId} name={arms.nameOf(variationId)} place={arms.armOf(variationId)} />
          ))}
          <Text size="sm" c="dimmed" component="span">
            {isDaily ? metric.name : `Change of ${metric.name} against the baseline`}
          </Text>
        </div>
        <OverTime lines={lines} axis={axis} armOf={arms.armOf} metric={metric} isLift={!isDaily} />
        {isCut(lines, axis) && (
          <Text size="sm" c="dimmed">
            In the first days the band goes beyond the drawing. Its figures are in the table.
          </Text>
        )}
        <Text size="sm">{seriesSentences(lines, { nameOf: arms.nameOf, day: dayOf, value }).join(' ')}</Text>
        <Disclosure summary="Show as table">
          <SeriesTable lines={lines} words={isDaily ? ({ value }) => mean(metric, value) : liftWords} arms={arms} />
        </Disclosure>
      </Stack>
    </Section>
  )
}

const liftWords = ({ value, low, high }: Point): string =>
  low === null || high === null ? change(value) : `${change(value)}, between ${change(low)} and ${change(high)}`

function SeriesTable({ lines, words, arms }: { lines: Line[]; words: (point: Point) => string; arms: Arms }) {
  const days = [...new Set(lines.flatMap(({ points }) => points.map(({ asOf }) => asOf)))].sort().reverse()
  return (
    <DataTable
      caption="By day"
      rows={days}
      keyOf={(day) => day}
      columns={[
        { title: 'Up to', cell: dayOf },
        ...lines.map(({ variationId, points }) => ({
          title: arms.nameOf(variationId),
          cell: (day: string) => {
            const point = points.find(({ asOf }) => asOf === day)
            return point ? words(point) : 'None yet'
          },
        })),
      ]}
    />
  )
}
