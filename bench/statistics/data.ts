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

/** Pages a visitor views, and how many of them are clicked. Views of one visitor are alike. */
export function clicksPerView(random: Random, clicked = 0.2): [number, number] {
  const views = Math.floor(-3 * Math.log(random.uniform()))
  const inclination = clicked + 0.15 * (2 * random.uniform() - 1)
  return [random.binomial(views, inclination), views]
}

/** A value, and the same before the test. */
export function correlated(random: Random, mean = 10): [number, number] {
  const before = random.normal()
  return [mean + 0.7 * before + Math.sqrt(0.51) * random.normal(), before]
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
