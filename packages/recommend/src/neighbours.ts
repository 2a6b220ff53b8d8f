import { best, type Ranked } from './best.ts'
import type { Occurrences } from './likelihood.ts'
import { degreesOf, type Lists, listCount, type Rows, transposed } from './rows.ts'

/** The neighbours of each product, the best first, with their scores. */
export interface Neighbours extends Lists {
  scores: Float32Array
}

export const mostNeighbours = 100

interface Counting {
  /** How many neighbours of a product are kept. Default: 100. */
  most?: number
  /** Whether a row counts less for each pair, the longer it is. Default: true. */
  sharesRows?: boolean
  /** Which pairs count. Default: all. */
  isKept?: (pair: Occurrences) => boolean
}

export interface NeighbourSettings extends Counting {
  /** How much the popularity of the neighbour is damped: 0 to 1. */
  beta: number
  /** How much the popularity of the product itself is damped, in sums over several products: 0 to 1. */
  gamma: number
}

/** The cosine of two columns. Source: Sarwar et al., "Item-based collaborative filtering", WWW 2001. */
export const cosine = { beta: 0.5, gamma: 0.5, sharesRows: false } as const

/**
 * The neighbours of each product: s(i→j) = d_i^(−γ) · d_j^(−β) · Σ 1 / |u|, over the rows u with both products, where d_i
 * is the number of rows with i and |u| the number of products in u.
 *
 * Sources: rows that share one vote, Deshpande and Karypis, TOIS 2004; damped popularity, RP3β, Paudel et al., TiiS 2017.
 *
 * @example neighbours(rows, { beta: 0.3, gamma: 0.5 })
 */
export function neighbours(rows: Rows, { beta, gamma, ...counting }: NeighbourSettings): Neighbours {
  const [found] = neighboursByBeta(rows, [beta], counting)
  return withGamma(found!, degreesOf(rows), gamma)
}

/**
 * The neighbours for each β, with γ = 0. Pairs are counted once, and γ does not change which neighbours are the best. The
 * cost is the sum of the squares of the lengths of the rows.
 */
export function neighboursByBeta(
  rows: Rows,
  betas: readonly number[],
  { most = mostNeighbours, sharesRows = true, isKept }: Counting = {},
): Neighbours[] {
  const degrees = degreesOf(rows)
  const damped = betas.map((beta) => powers(degrees, beta))
  const kept = best(most)
  const of = listCount(rows)
  const keeps = (product: number, other: number, { together }: Met): boolean =>
    !isKept || isKept({ together: together[other]!, one: degrees[product]!, other: degrees[other]!, of })
  const tables = betas.map(() => growing(rows.productCount))
  forEachProduct(rows, { sharesRows, countsPairs: isKept !== undefined }, (product, met) => {
    for (const [n, table] of tables.entries()) {
      for (let m = 0; m < met.count; m += 1) {
        const other = met.products[m]!
        if (keeps(product, other, met)) kept.offer(other, met.sums[other]! * damped[n]![other]!)
      }
      table.add(kept.take())
    }
  })
  return tables.map(({ end }) => end())
}

/** Multiplies the scores of the neighbours of a product by d^(−γ). */
export function withGamma({ starts, numbers, scores }: Neighbours, degrees: Uint32Array, gamma: number): Neighbours {
  const factors = powers(degrees, gamma)
  const scaled = new Float32Array(scores.length)
  for (let product = 0; product < degrees.length; product += 1)
    for (let place = starts[product]!; place < starts[product + 1]!; place += 1)
      scaled[place] = scores[place]! * factors[product]!
  return { starts, numbers, scores: scaled }
}

/** Each degree to the power of −`exponent`. */
const powers = (degrees: Uint32Array, exponent: number): Float64Array =>
  Float64Array.from(degrees, (degree) => (degree === 0 ? 0 : degree ** -exponent))

/** The products that share a row with a product. */
interface Met {
  count: number
  products: Uint32Array
  /** By product: the sum of the votes of the rows, and the number of these rows. */
  sums: Float64Array
  together: Uint32Array
}

/** Adds up, for one product after the other, the rows that it shares with others. */
function forEachProduct(
  rows: Rows,
  { sharesRows, countsPairs }: { sharesRows: boolean; countsPairs: boolean },
  use: (product: number, met: Met) => void,
): void {
  const { starts, numbers, productCount } = rows
  const columns = transposed(rows)
  const met: Met = {
    count: 0,
    products: new Uint32Array(productCount),
    sums: new Float64Array(productCount),
    together: new Uint32Array(productCount),
  }
  const { products, sums, together } = met
  for (let product = 0; product < productCount; product += 1) {
    let count = 0
    for (let at = columns.starts[product]!; at < columns.starts[product + 1]!; at += 1) {
      const row = columns.numbers[at]!
      const [from, to] = [starts[row]!, starts[row + 1]!]
      const vote = sharesRows ? 1 / (to - from) : 1
      for (let place = from; place < to; place += 1) {
        const other = numbers[place]!
        if (other === product) continue
        if (sums[other] === 0) {
          products[count] = other
          count += 1
        }
        sums[other]! += vote
        if (countsPairs) together[other]! += 1
      }
    }
    met.count = count
    use(product, met)
    for (let m = 0; m < count; m += 1) {
      sums[products[m]!] = 0
      together[products[m]!] = 0
    }
  }
}

/** A table that gets the neighbours of one product after the other. */
function growing(productCount: number) {
  const starts = new Uint32Array(productCount + 1)
  let numbers = new Uint32Array(1024)
  let scores = new Float32Array(1024)
  let product = 0
  let size = 0
  return {
    add({ numbers: found, scores: of }: Ranked) {
      if (size + found.length > numbers.length) {
        const larger = 2 * (size + found.length)
        const [before, scoresBefore] = [numbers, scores]
        numbers = new Uint32Array(larger)
        scores = new Float32Array(larger)
        numbers.set(before)
        scores.set(scoresBefore)
      }
      numbers.set(found, size)
      scores.set(of, size)
      size += found.length
      product += 1
      starts[product] = size
    },
    end: (): Neighbours => ({ starts, numbers: numbers.slice(0, size), scores: scores.slice(0, size) }),
  }
}

/**
 * What to recommend to a visitor: each product with the sum of its scores as a neighbour of what the visitor has seen,
 * without what is excluded. The returned function can be called again and again.
 */
export function fromNeighbours(
  { starts, numbers, scores }: Neighbours,
  productCount: number,
): (seen: ArrayLike<number>, excluded: ArrayLike<number>, most: number) => Ranked {
  const sums = new Float64Array(productCount)
  const products = new Uint32Array(productCount)
  return (seen, excluded, most) => {
    const kept = best(most)
    let count = 0
    for (let n = 0; n < seen.length; n += 1)
      for (let place = starts[seen[n]!]!; place < starts[seen[n]! + 1]!; place += 1) {
        const product = numbers[place]!
        const score = scores[place]!
        // What others have trained can have anything.
        if (!(score > 0)) continue
        if (sums[product] === 0) {
          products[count] = product
          count += 1
        }
        sums[product]! += score
      }
    for (let n = 0; n < excluded.length; n += 1) sums[excluded[n]!] = 0
    for (let n = 0; n < count; n += 1) {
      const product = products[n]!
      if (sums[product]! > 0) kept.offer(product, sums[product]!)
      sums[product] = 0
    }
    return kept.take()
  }
}
