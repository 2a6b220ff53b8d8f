// biome-ignore-all lint/a11y/noRedundantRoles: explicit because `display: block` removes them
// biome-ignore-all lint/a11y/useSemanticElements: the elements are semantic, with a scope of rows
import { Text } from '@mantine/core'
import { useRef } from 'react'
import { Variation } from '../../../../ui/names/variation.tsx'
import { StatusBadge } from '../../../../ui/status/status-badge.tsx'
import { useScrolling } from '../../../../ui/table/scrolling.ts'
import { counted } from '../../../../ui/words/lists.ts'
import { type Axis, drawingWidth } from '../axis.ts'
import { AxisMarks, LiftPlot } from '../drawings.tsx'
import { chance, change, difference, fromTo, type MetricResult, mean, pValue, share, withError } from '../figures.ts'
import type { Arms } from '../metric-tables.tsx'
import type { View } from '../view.ts'
import { type MetricGroup, type MetricRow, sharedAxis } from './metric-rows.ts'
import classes from './metrics-table.module.css'

/** Words with more characters are sentences, which may wrap. */
const longFrom = 30

interface MetricsTableProps {
  groups: readonly MetricGroup[]
  arms: Arms
  view: View
  /** The name of the baseline. */
  baseline: string
}

/**
 * Every metric of a test on one axis of lifts. In narrow windows each row is a few lines with its drawing below; the
 * roles are explicit because of that.
 */
export function MetricsTable({ groups, arms, view, baseline }: MetricsTableProps) {
  const frame = useRef<HTMLDivElement>(null)
  const scrolling = useScrolling(frame, 'All metrics')
  const rows = groups.flatMap(({ metrics }) => metrics.flatMap((each) => each.rows))
  const axis = rows.some(({ interval }) => interval) ? sharedAxis(rows) : undefined
  const isDetailed = view === 'statistics'
  const several = rows.some(({ row }) => row.variationId !== rows[0]?.row.variationId)
  // Among statistics there is no room for a column of names.
  const hasNames = several && !isDetailed
  const count = 4 + (hasNames ? 1 : 0) + (axis ? 1 : 0) + (isDetailed ? 2 : 0)
  return (
    <div className={classes.frame} ref={frame} {...scrolling}>
      <table className={classes.table} role="table" data-view={view} data-arms={several ? 'several' : 'one'}>
        <caption className={classes.hidden}>All metrics</caption>
        <thead role="rowgroup">
          <tr role="row">
            <Heading>Metric</Heading>
            {hasNames && <Heading>Variation</Heading>}
            <Heading>{several ? `${baseline} → variation` : `${baseline} → ${nameOfOnly(rows, arms)}`}</Heading>
            <Heading>Lift</Heading>
            {axis && (
              <th role="columnheader" scope="col" className={classes.plot}>
                <span className={classes.hidden}>Lift, drawn</span>
                <AxisMarks axis={axis} width={isDetailed ? drawingWidth.beside : drawingWidth.shared} />
              </th>
            )}
            {isDetailed && <Heading>p-value</Heading>}
            {isDetailed && <Heading>Chance to be better</Heading>}
            <Heading>Result</Heading>
          </tr>
        </thead>
        {groups.map(({ role, title, means, metrics }) => (
          <tbody key={role} role="rowgroup">
            <tr role="row" className={classes.group}>
              <th role="rowheader" scope="rowgroup" colSpan={count}>
                {title} <span className={classes.means}>{means}</span>
              </th>
            </tr>
            {metrics.flatMap((each) =>
              each.rows.map((row, place) => (
                <tr
                  key={`${each.metric.metricId} ${row.row.variationId}`}
                  role="row"
                  data-first={place === 0 || undefined}
                >
                  {place === 0 && <MetricCell metric={each.metric} rows={each.rows.length} />}
                  {hasNames && (
                    <td role="cell" className={classes.variation}>
                      <NameOf row={row} arms={arms} />
                    </td>
                  )}
                  <Cells row={row} {...{ axis, arms, isDetailed, several }} />
                </tr>
              )),
            )}
          </tbody>
        ))}
      </table>
    </div>
  )
}

const Heading = ({ children }: { children: string }) => (
  <th role="columnheader" scope="col" title={children}>
    {children}
  </th>
)

const nameOfOnly = (rows: readonly MetricRow[], arms: Arms): string =>
  rows[0] ? arms.nameOf(rows[0].row.variationId) : 'variation'

const NameOf = ({ row: { row }, arms }: { row: MetricRow; arms: Arms }) => (
  <Variation name={arms.nameOf(row.variationId)} place={arms.armOf(row.variationId)} />
)

const meanWords = { PROPORTION: 'Share of visitors', MEAN: 'Per visitor', RATIO: 'Ratio' }

function MetricCell({ metric, rows }: { metric: MetricResult; rows: number }) {
  return (
    <th role="rowheader" scope="rowgroup" rowSpan={rows} className={classes.metric}>
      <span dir="auto">{metric.name}</span>
      <Text size="xs" c="dimmed" component="div">
        {meanWords[metric.type]}, {metric.direction === 'DECREASE' ? 'lower is better' : 'higher is better'}
      </Text>
    </th>
  )
}

interface CellsProps {
  row: MetricRow
  axis: Axis | undefined
  arms: Arms
  isDetailed: boolean
  several: boolean
}

function Cells({ row, axis, arms, isDetailed, several }: CellsProps) {
  const { comparison, interval, isOpen, reading } = row
  const { variationId } = row.row
  // A guardrail that holds is no gain, so only its word has a color.
  const tone = row.comparison.guardrail?.state === 'PASSED' ? 'note' : reading.tone
  return (
    <>
      <td role="cell" className={classes.values}>
        {several && isDetailed && (
          <div className={classes.name}>
            <NameOf row={row} arms={arms} />
          </div>
        )}
        <Values row={row} isDetailed={isDetailed} />
      </td>
      <td role="cell" className={classes.lift} data-tone={tone}>
        {isOpen ? <Lift row={row} isDetailed={isDetailed} /> : <Dimmed>{tooFewWords(row)}</Dimmed>}
      </td>
      {axis && (
        <td role="cell" className={classes.plot}>
          {interval && (
            <LiftPlot {...interval} axis={axis} arm={arms.armOf(variationId)} tone={tone} margin={marginOf(row)} />
          )}
        </td>
      )}
      {isDetailed && (
        <td role="cell" className={classes.extra} data-title="p-value">
          {isOpen && comparison.pValue !== null && <PValue {...comparison} />}
        </td>
      )}
      {isDetailed && (
        <td role="cell" className={classes.extra} data-title="Chance to be better">
          {isOpen && comparison.bayesian.chanceToBeatControl !== null
            ? chance(comparison.bayesian.chanceToBeatControl)
            : ''}
        </td>
      )}
      <td role="cell" className={classes.result}>
        <StatusBadge tone={reading.tone}>{reading.words}</StatusBadge>
        {reading.more && (
          <Text size="xs" c="dimmed" component="div" className={classes.more ?? ''}>
            {reading.more}
          </Text>
        )}
      </td>
    </>
  )
}

const Dimmed = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" component="div" data-long={children.length > longFrom || undefined}>
    {children}
  </Text>
)

/** "4.7 % → 5.5 %"; while there are only counts, and in the view of statistics, how many of how many. */
function Values({ row: { metric, row, baseline, isOpen }, isDetailed }: { row: MetricRow; isDetailed: boolean }) {
  const known = isOpen && row.mean !== null && baseline?.mean != null
  return (
    <>
      {known && fromTo(metric, baseline.mean!, row.mean!)}
      {(isDetailed || !known) && baseline && (
        <>
          <Dimmed>{countWords(metric, baseline)}</Dimmed>
          <Dimmed>{`→ ${countWords(metric, row)}`}</Dimmed>
        </>
      )}
    </>
  )
}

/** "588 of 12,402"; "€29,532.00 by 12,402". */
function countWords(metric: MetricResult, { sum, units }: MetricRow['row']): string {
  const all = units.toLocaleString('en')
  if (metric.type === 'RATIO') return counted(units, 'visitor')
  return metric.type === 'PROPORTION' ? `${sum.toLocaleString('en')} of ${all}` : `${mean(metric, sum)} by ${all}`
}

function Lift({ row: { metric, comparison }, isDetailed }: { row: MetricRow; isDetailed: boolean }) {
  const { lift, difference: d, cuped } = comparison
  const hasLift = lift.estimate !== null && lift.ciLow !== null && lift.ciHigh !== null
  const inPoints = (value: number) => difference(metric, value)
  if (d.estimate === null) return <Dimmed>All visitors have the same value</Dimmed>
  return (
    <>
      <span className={classes.figure}>{hasLift ? change(lift.estimate!) : inPoints(d.estimate)}</span>
      {hasLift && <Dimmed>{`${change(lift.ciLow!)} to ${change(lift.ciHigh!)}`}</Dimmed>}
      {!hasLift && d.ciLow !== null && d.ciHigh !== null && (
        <Dimmed>{`${inPoints(d.ciLow)} to ${inPoints(d.ciHigh)}`}</Dimmed>
      )}
      {!hasLift && <Dimmed>The lift is unknown: the baseline has too few conversions</Dimmed>}
      {isDetailed && hasLift && d.standardError !== null && (
        <Dimmed>{withError(metric, d.estimate, d.standardError)}</Dimmed>
      )}
      {isDetailed && cuped?.varianceReduction != null && (
        <Dimmed>{`${share(cuped.varianceReduction)} less variance by CUPED`}</Dimmed>
      )}
    </>
  )
}

const tooFewWords = ({ reading }: MetricRow): string =>
  reading.words === 'Opens at its end' ? 'Shown once, at the end' : 'Too little data for a lift'

function PValue({ pValue: p, pValueAdjusted: corrected }: MetricRow['comparison']) {
  return (
    <>
      {p !== null && pValue(p)}
      {corrected !== null && corrected !== p && <Dimmed>{`corrected ${pValue(corrected)}`}</Dimmed>}
    </>
  )
}

/** Where the margin of a guardrail is on the axis. */
function marginOf({ metric, comparison }: MetricRow): number | undefined {
  if (!comparison.guardrail) return undefined
  return metric.direction === 'DECREASE' ? comparison.guardrail.margin : -comparison.guardrail.margin
}
