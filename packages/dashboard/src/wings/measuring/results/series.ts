import type { Axis } from './axis.ts'
import type { MetricResult } from './figures.ts'
import { isTooFew } from './too-few.ts'

/** The results of each day, as they were shown then. */
export type Days = readonly { asOf: string; metrics: readonly MetricResult[] }[]

export interface Point {
  asOf: string
  value: number
  /** Null without an interval. */
  low: number | null
  high: number | null
}

export interface Line {
  variationId: string
  points: Point[]
}

/** The lift of each variation with its interval, from all visitors up to each day. */
export function liftLines(days: Days, metricId: string): Line[] {
  return linesOf(days, metricId, ({ variation }) => {
    const { comparison } = variation
    const { estimate, ciLow, ciHigh } = comparison?.lift ?? {}
    if (!comparison || isTooFew(comparison.status) || estimate == null || ciLow == null || ciHigh == null)
      return undefined
    return { value: estimate, low: ciLow, high: ciHigh }
  })
}

/** The mean of each variation, from the visitors that each day added alone. */
export function dailyLines(days: Days, metricId: string): Line[] {
  return linesOf(days, metricId, ({ variation, before }) => {
    const sum = variation.sum - (before?.sum ?? 0)
    const per =
      variation.denominatorSum === null
        ? variation.units - (before?.units ?? 0)
        : variation.denominatorSum - (before?.denominatorSum ?? 0)
    return per > 0 ? { value: sum / per, low: null, high: null } : undefined
  })
}

/** A line needs two days: a lone point shows nothing that the table does not. */
export const isDrawn = (lines: readonly Line[]): boolean => lines.some(({ points }) => points.length > 1)

type Variation = MetricResult['variations'][number]

function linesOf(
  days: Days,
  metricId: string,
  pointOf: (at: { variation: Variation; before: Variation | undefined }) => Omit<Point, 'asOf'> | undefined,
): Line[] {
  const lines = new Map<string, { points: Point[]; before: Variation | undefined }>()
  for (const { asOf, metrics } of days)
    for (const variation of metrics.find((metric) => metric.metricId === metricId)?.variations ?? []) {
      const line = lines.get(variation.variationId) ?? { points: [], before: undefined }
      const point = pointOf({ variation, before: line.before })
      if (point) line.points.push({ asOf, ...point })
      lines.set(variation.variationId, { points: line.points, before: variation })
    }
  return [...lines].flatMap(([variationId, { points }]) => (points.length > 0 ? [{ variationId, points }] : []))
}

/** How much of the drawing shows that intervals go beyond zero. */
const roomBeyondZero = 0.15

/**
 * Values that the drawing must hold. The wide intervals of the first days would leave no room for the others, so they
 * are cut. But whether zero is inside is what people look for, so the drawing shows it where they go beyond zero.
 */
export function valuesToShow(lines: readonly Line[]): number[] {
  const held = lines.flatMap(({ points }) => [
    ...points.map(({ value }) => value),
    ...endsOf(points.slice(Math.floor(points.length / 2))),
  ])
  const room = roomBeyondZero * (Math.max(0, ...held) - Math.min(0, ...held))
  const ends = lines.flatMap(({ points }) => endsOf(points))
  return [...held, Math.max(-room, Math.min(0, ...ends)), Math.min(room, Math.max(0, ...ends))]
}

/** Whether the drawing ends before an interval does. */
export const isCut = (lines: readonly Line[], axis: Axis): boolean =>
  lines.some(({ points }) => endsOf(points).some((end) => end < axis.low || end > axis.high))

const endsOf = (points: readonly Point[]): number[] =>
  points.flatMap(({ low, high }) => [low, high]).filter((end) => end !== null)

interface Words {
  nameOf: (variationId: string) => string
  day: (time: string) => string
  value: (value: number) => string
}

/** What the drawing shows, in a sentence for each line. */
export function seriesSentences(lines: readonly Line[], { nameOf, day, value }: Words): string[] {
  return lines.map(({ variationId, points }) => {
    const [first, last] = [points[0]!, points.at(-1)!]
    const name = nameOf(variationId)
    if (first === last) return `${name}: ${value(last.value)} on ${day(last.asOf)}.`
    const span = last.low === null || last.high === null ? '' : `, between ${value(last.low)} and ${value(last.high)}`
    return `${name}: ${value(first.value)} on ${day(first.asOf)}, and ${value(last.value)} on ${day(last.asOf)}${span}.`
  })
}
