/** Values larger in size than this share of all non-zero values are cut, if a metric asks for it. */
export const defaultWinsorizedShare = 0.999

export interface Winsorization {
  /** The share of values below the cap, such as 0.999. */
  percentile: number
  /** Whether only values other than 0 determine the cap. */
  ignoreZeros: boolean
}

/**
 * The cap of all values: a quantile of their sizes (absolute values), of type 7, linear between order statistics, as
 * PostgreSQL's `percentile_cont` and R's `quantile` have it. By size, because a quantile of negative values would be a cap
 * below 0. Take the values of all arms together, because a cap per arm hides effects. Null without values.
 */
export function winsorizationCap(values: readonly number[], { percentile, ignoreZeros }: Winsorization): number | null {
  const sorted = values
    .filter((value) => value !== 0 || !ignoreZeros)
    .map(Math.abs)
    .sort((a, b) => a - b)
  if (sorted.length === 0) return null
  const place = (sorted.length - 1) * percentile
  const below = Math.floor(place)
  const low = sorted[below] ?? Number.NaN
  const high = sorted[below + 1] ?? low
  return low + (high - low) * (place - below)
}

/** The sums of the values after the cut, which keeps their signs, and how many values were cut. */
export function winsorize(values: readonly number[], winsorization: Winsorization) {
  const cap = winsorizationCap(values, winsorization)
  let [sum, sumSquares, capped] = [0, 0, 0]
  for (const value of values) {
    const kept = cap === null ? value : Math.sign(value) * Math.min(Math.abs(value), cap)
    sum += kept
    sumSquares += kept * kept
    if (kept !== value) capped++
  }
  return { cap, sum, sumSquares, mean: values.length === 0 ? null : sum / values.length, capped }
}

/**
 * The units per arm that a t-test needs for a skewed value, 355 · s². `skewness` is the third standardised moment.
 * Source: Kohavi et al., "Seven Rules of Thumb for Web Site Experimenters", KDD 2014.
 */
export function unitsForSkewness(skewness: number): number {
  return Math.ceil(355 * skewness ** 2)
}
