/** A range of values for a drawing. It always holds zero. */
export interface Axis {
  low: number
  high: number
  /** Round values, with zero among them. */
  ticks: number[]
}

const roomAround = 0.05

/** The range that holds all values and zero, with round values to mark. */
export function axisOf(values: readonly number[]): Axis {
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  const size = most - least || 1
  const [low, high] = [least - (least < 0 ? size * roomAround : 0), most + (most > 0 ? size * roomAround : 0)]
  const step = roundStep(size)
  const first = Math.ceil(low / step)
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step)
  return { low, high: high === low ? low + 1 : high, ticks: ticks.map((tick) => Number(tick.toPrecision(12))) }
}

/** Marks that have room: zero, and each second or third of the others. */
export const marksOf = ({ ticks }: Axis, most = 5): number[] => {
  const every = Math.ceil(ticks.length / most)
  const zero = ticks.indexOf(0)
  return ticks.filter((_, at) => (at - zero) % every === 0)
}

/** Where a value is on the axis, from 0 to 100. Values beyond an end are at the end. */
export const placeOn = (axis: Axis, value: number): number => Math.min(100, Math.max(0, placeBeyond(axis, value)))

/** The same, but values beyond an end stay beyond it, for drawings that are cut there. */
export const placeBeyond = ({ low, high }: Axis, value: number): number => ((value - low) / (high - low)) * 100

export type Anchor = 'start' | 'middle' | 'end'

/** Where words begin at their place, so that they stay within the drawing. */
export const anchorOf = (place: number): Anchor => (place < 15 ? 'start' : place > 85 ? 'end' : 'middle')

/** The least widths of a drawing in pixels, and what a character of its words needs. */
export const drawingWidth = { table: 192, phone: 130, shared: 176, beside: 128 }
const characterWidth = 6.5

/** The marks with words in a drawing: zero, and each end whose words do not overlap zero. */
export function writtenTicks(axis: Axis, label: (value: number) => string, width: number): number[] {
  const ends = [axis.ticks[0]!, axis.ticks.at(-1)!]
  const zero = spanOf(placeOn(axis, 0), '0', width)
  const isFree = (tick: number) => {
    const [from, to] = spanOf(placeOn(axis, tick), label(tick), width)
    return tick < 0 ? to < zero[0] : from > zero[1]
  }
  return [0, ...ends.filter((tick) => tick !== 0 && isFree(tick))].sort((one, other) => one - other)
}

/** The marks whose words have room beside each other in a drawing of this width: zero, and each, each second … of the others. */
export function roomyMarks(axis: Axis, label: (value: number) => string, width: number): number[] {
  for (let most = axis.ticks.length; most > 1; most -= 1) {
    const marks = marksOf(axis, most)
    const spans = marks.map((mark) => spanOf(placeOn(axis, mark), label(mark), width))
    if (spans.every(([from], at) => at === 0 || from >= spans[at - 1]![1])) return marks
  }
  return [0]
}

/** Both ends of words in the drawing, with a space around them, from 0 to 100. */
function spanOf(place: number, words: string, width: number): [number, number] {
  const size = ((words.length * characterWidth) / width) * 100
  const from = { start: place, middle: place - size / 2, end: place - size }[anchorOf(place)]
  const space = (characterWidth / 2 / width) * 100
  return [from - space, from + size + space]
}

/** 1, 2 or 5 times a power of ten, for two to five marks. */
function roundStep(size: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(size / 4))
  return ([1, 2, 5].find((times) => size / (times * magnitude) <= 5) ?? 10) * magnitude
}
