import { type Ranked, rankedBy } from './best.ts'
import type { Interactions } from './rows.ts'

const dayMs = 86_400_000

/** After this time, an action counts half. */
const halfLifeMs = 7 * dayMs
const trendDays = 14

interface Ranking {
  productCount: number
  /** Milliseconds since 1970. */
  now: number
  most: number
}

/** The best of a project or category: Σ weight · 2^(−age / 7 d). What is later than `now` counts as if it were now. */
export function popular(
  { products, at, weights }: Pick<Interactions, 'products' | 'at' | 'weights'>,
  { productCount, now, most }: Ranking,
): Ranked {
  const sums = new Float64Array(productCount)
  for (let place = 0; place < products.length; place += 1)
    sums[products[place]!]! += weights[place]! * 2 ** (-Math.max(0, now - at[place]!) / halfLifeMs)
  return positive(sums, most)
}

/**
 * What rises now: (n − λ) / √(λ + 1), where n is the number of actions in the last 24 hours and λ the mean of the 14 days
 * before. Only what rises is in the answer.
 */
export function trending(
  { products, at }: Pick<Interactions, 'products' | 'at'>,
  { productCount, now, most }: Ranking,
): Ranked {
  const latest = new Float64Array(productCount)
  const before = new Float64Array(productCount)
  for (let place = 0; place < products.length; place += 1) {
    const ageMs = now - at[place]!
    if (ageMs < 0 || ageMs >= (trendDays + 1) * dayMs) continue
    const counts = ageMs < dayMs ? latest : before
    counts[products[place]!]! += 1
  }
  const scores = latest.map((count, product) => {
    const mean = before[product]! / trendDays
    return (count - mean) / Math.sqrt(mean + 1)
  })
  return positive(scores, most)
}

const positive = (scores: Float64Array, most: number): Ranked =>
  rankedBy(
    [...scores.keys()].filter((product) => scores[product]! > 0),
    (product) => scores[product]!,
    most,
  )
