/** Shares are basis points in the API: 0 to 10000. */
export const whole = 10_000

/** 2500 → "25", 1250 → "12.5", 1 → "0.01". */
export const percentText = (basisPoints: number): string => String(basisPoints / 100)

/** "25 %" in one line: the sign never begins the next one. Every percentage that people read is made here. */
export const percent = (value: number | string): string => `${value}\u00a0%`

/** 2500 → "25 %". */
export const percentOf = (basisPoints: number): string => percent(percentText(basisPoints))

/** The same for the percentages in a text of the service. */
export const withPercents = (text: string): string => text.replace(/(\d) %/g, '$1\u00a0%')

/** "25", "25 %" and "12,5" in basis points; undefined if it is not a share, or finer than 0.01 %. */
export function percentIn(text: string): number | undefined {
  const match = /^\s*(\d{1,3}(?:[.,]\d{0,2})?)\s*%?\s*$/.exec(text)
  const basisPoints = match ? Math.round(Number(match[1]!.replace(',', '.')) * 100) : undefined
  return basisPoints !== undefined && basisPoints <= whole ? basisPoints : undefined
}

/** Equal weights for so many variations. They sum to the whole; the first ones get the rest. */
export function even(count: number): number[] {
  const each = Math.floor(whole / count)
  return Array.from({ length: count }, (_, at) => each + (at < whole - each * count ? 1 : 0))
}

/** The weights with another value at a place. The others keep their proportions, and the sum is the whole. */
export function withWeight(weights: readonly number[], at: number, value: number): number[] {
  const wanted = clamp(value, 0, whole)
  const others = weights.filter((_, index) => index !== at)
  const shared = proportional(others, whole - wanted)
  return weights.map((_, index) => (index === at ? wanted : shared[index < at ? index : index - 1]!))
}

/** The weights after the border between a place and the next one is moved to this position from the left. */
export function withBorder(weights: readonly number[], at: number, position: number): number[] {
  const start = sum(weights.slice(0, at))
  const end = start + weights[at]! + weights[at + 1]!
  const border = clamp(Math.round(position), start, end)
  return weights.map((weight, index) => (index === at ? border - start : index === at + 1 ? end - border : weight))
}

/** Where the border after a place is, from the left. */
export const borderAfter = (weights: readonly number[], at: number): number => sum(weights.slice(0, at + 1))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** Splits a total like the parts, in whole numbers. Parts that are all zero share it evenly. */
function proportional(parts: readonly number[], total: number): number[] {
  if (parts.length === 0) return []
  const before = sum(parts)
  const exact = parts.map((part) => (before === 0 ? total / parts.length : (part * total) / before))
  const floors = exact.map(Math.floor)
  const rest = total - sum(floors)
  const byFraction = exact
    .map((value, at) => [value - floors[at]!, at] as const)
    .sort((one, other) => other[0] - one[0])
  const raised = new Set(byFraction.slice(0, rest).map(([, at]) => at))
  return floors.map((floor, at) => floor + (raised.has(at) ? 1 : 0))
}
