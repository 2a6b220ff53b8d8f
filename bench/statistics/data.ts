import type { Moments } from '@svc/stats'
import type { Random } from './random.ts'

/** A sum, and a sum of squares. Figures are small here, so plain sums are precise enough. */
export interface Sums {
  n: number
  sum: number
  squares: number
}

/** Draws the values of n units and adds them. */
export type Draw = (random: Random, n: number) => Sums

export const conversions =
  (p: number): Draw =>
  (random, n) => {
    const sum = random.binomial(n, p)
    return { n, sum, squares: sum }
  }

export const normals: Draw = (random, n) => {
  let [sum, squares] = [0, 0]
  for (let i = 0; i < n; i++) {
    const value = 10 + 4 * random.normal()
    sum += value
    squares += value * value
  }
  return { n, sum, squares }
}

/** A share of the units buys, for a lognormal amount. */
export const revenue =
  (buyers: number, sigma: number): Draw =>
  (random, n) => {
    const bought = random.binomial(n, buyers)
    let [sum, squares] = [0, 0]
    for (let i = 0; i < bought; i++) {
      const value = Math.exp(sigma * random.normal())
      sum += value
      squares += value * value
    }
    return { n, sum, squares }
  }

/** The moments of n normal values: their mean is normal, and their squared deviations are a chi-square. */
export function normalMoments(random: Random, n: number, mean: number, deviation: number): Moments {
  const found = mean + (deviation / Math.sqrt(n)) * random.normal()
  return { n, sum: n * found, m2: deviation ** 2 * 2 * random.gamma((n - 1) / 2) }
}

export function add(into: Sums, { n, sum, squares }: Sums): void {
  into.n += n
  into.sum += sum
  into.squares += squares
}

export const momentsOf = ({ n, sum, squares }: Sums): Moments => ({ n, sum, m2: Math.max(0, squares - sum ** 2 / n) })
