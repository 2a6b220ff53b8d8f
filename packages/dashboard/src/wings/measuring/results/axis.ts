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

/** Where a value is on the axis, from 0 to 100. Values beyond an end are at the end. */
export const placeOn = (axis: Axis, value: number): number => Math.min(100, Math.max(0, placeBeyond(axis, value)))

/** The same, but values beyond an end stay beyond it, for drawings that are cut there. */
export const placeBeyond = ({ low, high }: Axis, value: number): number => ((value - low) / (high - low)) * 100

/** The narrowest drawing has about 190 px, where a character takes 3.2 % and zero with a gap 5 %. */
const [characterRoom, zeroRoom] = [3.2, 5]

/** The marks with words: zero and both ends, but no end whose words would run into zero. */
export function writtenTicks(axis: Axis, label: (value: number) => string): number[] {
  const ends = [axis.ticks[0]!, axis.ticks.at(-1)!]
  const isFree = (tick: number) =>
    Math.abs(placeOn(axis, tick) - placeOn(axis, 0)) > label(tick).length * characterRoom + zeroRoom
  return [0, ...ends.filter((tick) => tick !== 0 && isFree(tick))].sort((one, other) => one - other)
}

/** 1, 2 or 5 times a power of ten, for two to five marks. */
function roundStep(size: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(size / 4))
  return ([1, 2, 5].find((times) => size / (times * magnitude) <= 5) ?? 10) * magnitude
}
