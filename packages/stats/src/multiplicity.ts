/** How the p-values of a family of comparisons are corrected for their number. */
export type Correction = 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'

/**
 * Adjusted p-values, in the order of the input. Null p-values, of comparisons without a result, stay null and do not
 * count. Valid for sequential p-values too.
 */
export function adjustPValues(pValues: readonly (number | null)[], correction: Correction): (number | null)[] {
  const known = pValues.filter((p) => p !== null)
  const adjusted = { HOLM: holm, BENJAMINI_HOCHBERG: benjaminiHochberg, NONE: (all: number[]) => all }[correction](
    known,
  )
  let next = 0
  return pValues.map((p) => (p === null ? null : (adjusted[next++] ?? null)))
}

/**
 * The level that one of several comparisons must keep if it is the only one with an effect: that of the first step of the
 * correction. A sample that is planned with it has its power whichever comparison has the effect.
 */
export const alphaOfOne = (
  { alpha, correction }: { alpha: number; correction: Correction },
  comparisons: number,
): number => (correction === 'NONE' ? alpha : alpha / Math.max(1, comparisons))

/**
 * Holm's step-down adjustment: the chance of any false discovery stays at most alpha.
 * Source: Holm 1979; R `p.adjust(method = "holm")`.
 */
export function holm(pValues: readonly number[]): number[] {
  const adjusted = [...pValues]
  let highest = 0
  for (const [rank, i] of ascending(pValues).entries()) {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * pValues[i]!))
    adjusted[i] = highest
  }
  return adjusted
}

/**
 * Benjamini and Hochberg's step-up adjustment: the share of false ones among all discoveries stays at most alpha.
 * Source: Benjamini, Hochberg, JRSSB 1995, 57:289; R `p.adjust(method = "BH")`.
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const adjusted = [...pValues]
  let lowest = 1
  for (const [rank, i] of [...ascending(pValues).entries()].reverse()) {
    lowest = Math.min(lowest, (pValues.length * pValues[i]!) / (rank + 1))
    adjusted[i] = lowest
  }
  return adjusted
}

function ascending(pValues: readonly number[]): number[] {
  return pValues.map((_, i) => i).sort((a, b) => pValues[a]! - pValues[b]!)
}
