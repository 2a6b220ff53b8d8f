/** Above this, chance explains a pair in one case of a thousand: the 99.9 % quantile of chi-square with one degree of freedom. */
export const significantRatio = 10.83

/** Fewer rows with both products are no evidence, whatever the ratio is. */
const leastTogether = 2

/** How often two products occur: in `of` rows, `one` and `other` of them with each product, `together` with both. */
export interface Occurrences {
  together: number
  one: number
  other: number
  of: number
}

/**
 * The log-likelihood ratio of a pair, −2 ln λ: how much better the counts are explained by a relation than by chance.
 * Source: Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", Computational Linguistics 1993.
 */
export function logLikelihoodRatio({ together, one, other, of }: Occurrences): number {
  const cells = [
    [together, one, other],
    [one - together, one, of - other],
    [other - together, of - one, other],
    [of - one - other + together, of - one, of - other],
  ] as const
  const sum = cells.reduce(
    (total, [count, row, column]) => total + (count === 0 ? 0 : count * Math.log((count * of) / (row * column))),
    0,
  )
  // Rounding can leave a rest below zero.
  return Math.max(0, 2 * sum)
}

/** Whether two products belong together: more often in one row than chance explains, and more than once. */
export const belongTogether = (pair: Occurrences): boolean =>
  pair.together >= leastTogether &&
  pair.together * pair.of > pair.one * pair.other &&
  logLikelihoodRatio(pair) > significantRatio
