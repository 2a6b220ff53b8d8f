import { type Ranked, rankedBy } from './best.ts'
import type { Interactions } from './rows.ts'

const dayMs = 86_400_000

/** After this time, an action counts half. */
const halfLifeMs = 7 * dayMs
const trendDays = 14

interface Ranking {
  /** Milliseconds since 1970. */
  now: number
  most: number
}

/** Adds actions up as they come: any number of them takes the memory of their products. */
export interface Tally {
  add(product: number, at: number, weight: number): void
  /** What each product has come to, by its number. */
  scores(): Float64Array
}

/**
 * What is best: Σ weight · 2^(−age / 7 d). What is later than `now` counts as if it were now.
 *
 * @param now milliseconds since 1970
 */
export function popularity(now: number): Tally {
  const sums = sumsOfProducts()
  return {
    add: (product, at, weight) => sums.add(product, weight * 2 ** (-Math.max(0, now - at) / halfLifeMs)),
    scores: sums.all,
  }
}

/**
 * What rises now: (n − λ) / √(λ + 1), where n is the number of actions in the last 24 hours and λ the mean of the 14 days
 * before.
 */
export function trend(now: number): Tally {
  const [latest, before] = [sumsOfProducts(), sumsOfProducts()]
  return {
    add(product, at) {
      const ageMs = now - at
      // Both know each product.
      latest.add(product, ageMs >= 0 && ageMs < dayMs ? 1 : 0)
      before.add(product, ageMs >= dayMs && ageMs < (trendDays + 1) * dayMs ? 1 : 0)
    },
    scores() {
      const earlier = before.all()
      return latest.all().map((count, product) => {
        const mean = earlier[product]! / trendDays
        return (count - mean) / Math.sqrt(mean + 1)
      })
    },
  }
}

function sumsOfProducts() {
  let sums = new Float64Array(1024)
  let count = 0
  return {
    add(product: number, value: number) {
      if (product >= sums.length) {
        const larger = new Float64Array(2 * product)
        larger.set(sums)
        sums = larger
      }
      count = Math.max(count, product + 1)
      sums[product]! += value
    },
    all: () => sums.slice(0, count),
  }
}

/** The products with a score above 0, the best first. */
export const ranked = (scores: Float64Array, most: number): Ranked =>
  rankedBy(
    [...scores.keys()].filter((product) => scores[product]! > 0),
    (product) => scores[product]!,
    most,
  )

/** The best by `popularity` of actions that are there. */
export function popular({ products, at, weights }: Popular, { now, most }: Ranking): Ranked {
  const tally = popularity(now)
  for (let place = 0; place < products.length; place += 1) tally.add(products[place]!, at[place]!, weights[place]!)
  return ranked(tally.scores(), most)
}

type Popular = Pick<Interactions, 'products' | 'at' | 'weights'>
