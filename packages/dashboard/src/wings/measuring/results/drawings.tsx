import type { Tone } from '../../../ui/status/status-words.ts'
import { type Axis, anchorOf, drawingWidth, marksOf, placeBeyond, placeOn, roomyMarks, writtenTicks } from './axis.ts'
import classes from './drawings.module.css'
import { change, dayOf, type MetricResult, mean } from './figures.ts'
import type { Interval } from './interval.ts'
import { marks } from './report/marks.ts'
import type { Line, Point } from './series.ts'

const percent = (place: number): string => `${place.toFixed(2)}%`

/** The sign of a variation, the same as beside its name. Its center is where the drawing puts it. */
function Mark({ x, y, arm }: { x: string; y: string; arm: number }) {
  return (
    <svg x={x} y={y} overflow="visible" aria-hidden>
      <path className={classes.point} d={marks[arm % marks.length]} />
    </svg>
  )
}

interface IntervalProps extends Interval {
  axis: Axis
  /** The place of the variation in its flag. */
  arm: number
  /** Writes a mark of the axis. */
  label: (value: number) => string
}

/** A change with its interval on the axis of its metric. The same is written beside it. */
export function IntervalPlot({ axis, estimate, low, high, isBeyondLow, isBeyondHigh, arm, label }: IntervalProps) {
  const [from, to, at] = [low, high, estimate].map((value) => placeOn(axis, value)) as [number, number, number]
  const onPhones = writtenTicks(axis, label, drawingWidth.phone)
  return (
    <svg
      className={`${classes.interval} ${classes.arm}`}
      data-arm={(arm % marks.length) + 1}
      role="img"
      aria-label={`From ${label(low)} to ${label(high)}: ${low > 0 || high < 0 ? 'zero is outside' : 'zero is inside'}`}
    >
      <line className={classes.zero} x1={percent(placeOn(axis, 0))} x2={percent(placeOn(axis, 0))} y1="0" y2="26" />
      <line className={classes.span} x1={percent(from)} x2={percent(to)} y1="13" y2="13" />
      {!isBeyondLow && <line className={classes.span} x1={percent(from)} x2={percent(from)} y1="8" y2="18" />}
      {!isBeyondHigh && <line className={classes.span} x1={percent(to)} x2={percent(to)} y1="8" y2="18" />}
      <Mark x={percent(at)} y="13" arm={arm} />
      {writtenTicks(axis, label, drawingWidth.table).map((tick) => (
        <text
          key={tick}
          className={onPhones.includes(tick) ? undefined : classes.roomy}
          x={percent(placeOn(axis, tick))}
          y="38"
          textAnchor={anchorOf(placeOn(axis, tick))}
        >
          {tick === 0 ? '0' : label(tick)}
        </text>
      ))}
    </svg>
  )
}

interface LiftProps extends Interval {
  axis: Axis
  /** The place of the variation in its flag. */
  arm: number
  /** What the row says: only what is proven has a color. */
  tone: Tone
  /** How much worse a guardrail may get, as a place on the axis. */
  margin: number | undefined
}

/** A lift with its interval on the axis that all metrics share. The same is written beside it. */
export function LiftPlot({ axis, estimate, low, high, isBeyondLow, isBeyondHigh, arm, tone, margin }: LiftProps) {
  const [from, to, at, zero] = [low, high, estimate, 0].map((value) => percent(placeOn(axis, value))) as [
    string,
    string,
    string,
    string,
  ]
  const [isCutLow, isCutHigh] = [isBeyondLow || low < axis.low, isBeyondHigh || high > axis.high]
  return (
    <svg
      className={classes.lift}
      data-tone={tone}
      role="img"
      aria-label={`From ${change(low)} to ${change(high)}: ${low > 0 || high < 0 ? 'zero is outside' : 'zero is inside'}`}
    >
      {marksOf(axis).map((tick) => (
        <line key={tick} className={classes.grid} {...lineAt(percent(placeOn(axis, tick)))} />
      ))}
      <line className={classes.zero} {...lineAt(zero)} />
      {margin !== undefined && margin > axis.low && margin < axis.high && (
        <line className={classes.margin} {...lineAt(percent(placeOn(axis, margin)))} />
      )}
      <line className={classes.bar} x1={from} x2={to} y1="50%" y2="50%" />
      <line className={classes.span} x1={from} x2={to} y1="50%" y2="50%" />
      {isCutLow && <Cut x={from} d="M6 -5L1 0L6 5" />}
      {isCutHigh && <Cut x={to} d="M-6 -5L-1 0L-6 5" />}
      <Mark x={at} y="50%" arm={arm} />
    </svg>
  )
}

const lineAt = (x: string) => ({ x1: x, x2: x, y1: '0', y2: '100%' })

/** Where an interval goes on beyond the drawing. */
function Cut({ x, d }: { x: string; d: string }) {
  return (
    <svg x={x} y="50%" overflow="visible" aria-hidden>
      <path className={classes.cut} d={d} />
    </svg>
  )
}

/** The marks of the axis that all metrics share, above its drawings. */
export function AxisMarks({ axis, width }: { axis: Axis; width: number }) {
  return (
    <svg className={classes.marks} aria-hidden>
      {roomyMarks(axis, markWords, width).map((tick) => (
        <text key={tick} x={percent(placeOn(axis, tick))} y="65%" textAnchor={anchorOf(placeOn(axis, tick))}>
          {markWords(tick)}
        </text>
      ))}
    </svg>
  )
}

/** "+20 %": the marks of an axis are round. */
const markWords = (value: number): string => (value === 0 ? '0' : change(value).replace(/\.0(?=\D)/, ''))

interface OverTimeProps {
  lines: readonly Line[]
  axis: Axis
  /** The place of each variation in its flag. */
  armOf: (variationId: string) => number
  metric: Pick<MetricResult, 'type' | 'unit'>
  isLift: boolean
}

const bottom = 90
const across = (at: number, count: number) => (count === 1 ? 50 : (at / (count - 1)) * 100)

/** Lines by day, with bands where there are intervals. Screen readers get the sentences and the table below it. */
export function OverTime({ lines, axis, armOf, metric, isLift }: OverTimeProps) {
  const days = [...new Set(lines.flatMap(({ points }) => points.map(({ asOf }) => asOf)))].sort()
  const x = ({ asOf }: Point) => across(days.indexOf(asOf), days.length).toFixed(2)
  const y = (value: number) => (100 - placeBeyond(axis, value)).toFixed(2)
  const path = (points: readonly Point[], of: (point: Point) => number) =>
    points.map((point) => `${x(point)} ${y(of(point))}`).join('L')
  const dates = [days[0], days[Math.floor(days.length / 2)], days.at(-1)].filter((day) => day !== undefined)
  return (
    <svg className={classes.over} aria-hidden>
      {axis.ticks.map((tick) => {
        const at = percent(((100 - placeOn(axis, tick)) / 100) * bottom)
        return (
          <g key={tick}>
            <line className={tick === 0 ? classes.zero : classes.grid} x1="0" x2="100%" y1={at} y2={at} />
            <text x="-8" y={at} dy="0.35em" textAnchor="end">
              {isLift ? change(tick) : mean(metric, tick)}
            </text>
          </g>
        )
      })}
      <svg width="100%" height={percent(bottom)} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
        {lines.map(({ variationId, points }) => {
          const sure = points.filter(({ low, high }) => low !== null && high !== null)
          return (
            <g key={variationId} className={classes.arm} data-arm={(armOf(variationId) % marks.length) + 1}>
              {sure.length > 1 && (
                <path
                  className={classes.band}
                  d={`M${path(sure, ({ high }) => high!)}L${path([...sure].reverse(), ({ low }) => low!)}Z`}
                />
              )}
              <path
                className={classes.line}
                d={`M${path(points, ({ value }) => value)}`}
                vectorEffect="non-scaling-stroke"
              />
            </g>
          )
        })}
      </svg>
      <svg width="100%" height={percent(bottom)} overflow="visible" aria-hidden>
        {lines.map(({ variationId, points }) => {
          const last = points.at(-1)!
          const arm = armOf(variationId)
          return (
            <g key={variationId} className={classes.arm} data-arm={(arm % marks.length) + 1}>
              <Mark x={`${x(last)}%`} y={`${y(last.value)}%`} arm={arm} />
            </g>
          )
        })}
      </svg>
      {[...new Set(dates)].map((date) => {
        const at = across(days.indexOf(date), days.length)
        return (
          <text key={date} x={percent(at)} y="99%" textAnchor={anchorOf(at)}>
            {dayOf(date)}
          </text>
        )
      })}
    </svg>
  )
}

interface BarProps {
  /** From 0 to 1. */
  fraction: number
}

/** How far a test is. The words beside it say the same. */
export function ProgressBar({ fraction }: BarProps) {
  return (
    <svg className={classes.progress} aria-hidden>
      <rect className={classes.track} width="100%" height="8" rx="4" />
      <rect className={classes.done} width={percent(Math.min(1, fraction) * 100)} height="8" rx="4" />
    </svg>
  )
}
