import { type Axis, axisOf, marksOf, placeOn } from '../axis.ts'
import { change, fromTo } from '../figures.ts'
import type { Arms } from '../metric-tables.tsx'
import { type MetricGroup, type MetricRow, sharedAxis } from '../table/metric-rows.ts'
import { marks } from './marks.ts'

/** What is drawn, in pixels from the upper left corner. Both writers, for SVG and for a canvas, know these shapes only. */
export type Shape =
  | { kind: 'text'; x: number; y: number; text: string; size: number; color: string; isBold?: true; isCentered?: true }
  | { kind: 'line'; x1: number; y1: number; x2: number; y2: number; color: string; width: number; opacity?: number }
  | { kind: 'path'; x: number; y: number; d: string; color: string }

export interface Picture {
  width: number
  height: number
  shapes: Shape[]
}

export interface Report {
  /** What was tested, and where. */
  title: string
  headline: string
  /** The reason, the next step, until when there is data: a line for each. */
  lines: readonly string[]
  /** "Lift against the baseline with its 95 % confidence interval." */
  interval: string
  groups: readonly MetricGroup[]
  arms: Arms
}

/** Always light: it is pasted into documents and messages. The colors are those of the theme. */
const colors = {
  ...{ ground: '#ffffff', text: '#16191f', dimmed: '#535b69', line: '#dde1e7', zero: '#7c8594' },
  ...{ good: '#0b7a55', bad: '#b42318', note: '#667085' },
}
const width = 1200
const margin = 32
const rowHeight = 40
/** Where the columns begin. */
const at = { metric: margin, variation: 250, values: 400, lift: 590, plot: 760, result: 1010 }
const plotWidth = 220

/** The results as a picture for a message or a document: what was found, and all metrics on one axis. */
export function pictureOf({ title, headline, lines, interval, groups, arms }: Report): Picture {
  const shapes: Shape[] = []
  const text = (x: number, y: number, words: string, most: number, more: Partial<Shape & { kind: 'text' }> = {}) =>
    shapes.push({ kind: 'text', x, y, text: cut(words, most), size: 14, color: colors.text, ...more })
  let y = margin + 8
  text(margin, y, title, 130, { color: colors.dimmed })
  y += 34
  text(margin, y, headline, 90, { size: 24, isBold: true })
  for (const line of [...lines, interval]) {
    y += 26
    text(margin, y, line, 150, line === interval ? { color: colors.dimmed } : {})
  }
  const rows = groups.flatMap(({ metrics }) => metrics.flatMap((each) => each.rows))
  const isDrawn = rows.some((row) => row.interval)
  const axis = isDrawn ? sharedAxis(rows) : axisOf([])
  y += 36
  if (isDrawn) shapes.push(...axisShapes(axis, y, (rows.length + groups.length) * rowHeight))
  for (const { title: name, means, metrics } of groups) {
    y += rowHeight
    text(margin, y, name, 40, { size: 12, isBold: true, color: colors.dimmed })
    text(margin + 140, y, means, 80, { size: 12, color: colors.dimmed })
    for (const { metric, rows: own } of metrics)
      for (const [place, row] of own.entries()) {
        y += rowHeight
        if (place === 0) {
          shapes.push({
            kind: 'line',
            x1: margin,
            x2: width - margin,
            y1: y - 25,
            y2: y - 25,
            color: colors.line,
            width: 1,
          })
          text(at.metric, y, metric.name, 28, { isBold: true })
        }
        text(at.variation, y, arms.nameOf(row.row.variationId), 18)
        shapes.push(...rowShapes(row, { axis, y, arm: arms.armOf(row.row.variationId) }))
      }
  }
  return { width, height: y + margin, shapes }
}

function rowShapes(row: MetricRow, { axis, y, arm }: { axis: Axis; y: number; arm: number }): Shape[] {
  const { metric, row: treated, baseline, comparison, interval, reading, isOpen } = row
  const color = colors[reading.tone === 'good' || reading.tone === 'bad' ? reading.tone : 'note']
  const words = (x: number, text: string, more: Partial<Shape & { kind: 'text' }> = {}): Shape => ({
    ...{ kind: 'text', x, y, text, size: 14, color: colors.text },
    ...more,
  })
  const { estimate, ciLow, ciHigh } = comparison.lift
  const shapes: Shape[] = [words(at.result, cut(reading.words, 24), { isBold: true, color })]
  if (isOpen && treated.mean !== null && baseline?.mean != null)
    shapes.push(words(at.values, cut(fromTo(metric, baseline.mean, treated.mean), 26)))
  if (isOpen && estimate !== null && ciLow !== null && ciHigh !== null)
    shapes.push(
      words(at.lift, change(estimate), { isBold: true }),
      words(at.lift + 66, `${change(ciLow)} to ${change(ciHigh)}`, { size: 11, color: colors.dimmed }),
    )
  if (!interval) return shapes
  const [from, to, center] = [interval.low, interval.high, interval.estimate].map((value) => placeIn(axis, value)) as [
    number,
    number,
    number,
  ]
  const bar = { kind: 'line', x1: from, x2: to, y1: y - 5, y2: y - 5, color } as const
  shapes.push({ ...bar, width: 10, opacity: 0.22 }, { ...bar, width: 2 })
  shapes.push({ kind: 'path', x: center, y: y - 5, d: marks[arm % marks.length]!, color })
  return shapes
}

function axisShapes(axis: Axis, y: number, height: number): Shape[] {
  return marksOf(axis).flatMap((tick): Shape[] => {
    const x = placeIn(axis, tick)
    const color = tick === 0 ? colors.zero : colors.line
    return [
      {
        kind: 'text',
        x,
        y,
        text: tick === 0 ? '0' : change(tick).replace(/\.0(?=\D)/, ''),
        size: 11,
        color: colors.dimmed,
        isCentered: true,
      },
      { kind: 'line', x1: x, x2: x, y1: y + 12, y2: y + height + 12, color, width: 1 },
    ]
  })
}

const placeIn = (axis: Axis, value: number): number => at.plot + (placeOn(axis, value) / 100) * plotWidth

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)
