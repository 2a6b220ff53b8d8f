import type { Ranked } from './best.ts'
import { fromNeighbours, type Neighbours, neighboursByBeta, withGamma } from './neighbours.ts'
import { degreesOf, type Interactions, type Lists, listCount, listOf, type Rows } from './rows.ts'

/** The length of the lists that are judged. */
export const judged = 20
const holdoutMs = 7 * 86_400_000
const holdoutShare = 1 / 5
export const betas = [0.1, 0.3, 0.5, 0.7] as const
export const gammas = [0.3, 0.5, 0.7] as const
/** More change no figure in its third digit, and would make a large shop wait. */
const mostUnits = 50_000
const mostSessions = 10_000
const unitsForChoice = 10_000

/**
 * The moment from which interactions are held out: the last 7 days, or of less than 35 days the last fifth. A random split
 * would let a model learn from the future. Milliseconds since 1970; null without data.
 */
export function holdoutFrom({ at }: Pick<Interactions, 'at'>): number | null {
  if (at.length === 0) return null
  let first = at[0]!
  let last = first
  for (const time of at) {
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return last - Math.min(holdoutMs, (last - first) * holdoutShare)
}

/** The interactions before a moment, and those from it on, each in the order in which they are given. */
export function splitAt(interactions: Interactions, from: number): { before: Interactions; after: Interactions } {
  const { at } = interactions
  const later = at.reduce((count, time) => count + (time >= from ? 1 : 0), 0)
  const [before, after] = [new Uint32Array(at.length - later), new Uint32Array(later)]
  let [nextBefore, nextAfter] = [0, 0]
  for (let place = 0; place < at.length; place += 1)
    if (at[place]! >= from) after[nextAfter++] = place
    else before[nextBefore++] = place
  return { before: picked(interactions, before), after: picked(interactions, after) }
}

const picked = ({ units, products, at, weights }: Interactions, places: Uint32Array): Interactions => ({
  units: places.map((place) => units[place]!),
  products: places.map((place) => products[place]!),
  at: Float64Array.from(places, (place) => at[place]!),
  weights: Float32Array.from(places, (place) => weights[place]!),
})

/** Answers with the best products, the best first, without those that are excluded. */
export type Recommend = (seen: ArrayLike<number>, excluded: ArrayLike<number>, most: number) => Pick<Ranked, 'numbers'>

/** Shares between 0 and 1. What was not measured is null. */
export interface Metrics {
  recall20: number | null
  ndcg20: number | null
  hitRate20: number | null
  mrr20: number | null
  /** The share of the products with interactions that are in any list of the model. */
  coverage20: number
  /** The share of lists that came from `popular`, because the model had nothing. */
  fallbackShare: number
}

interface Judging {
  /** What is judged. */
  recommend: Recommend
  /** What answers when that has nothing. */
  fallback: Recommend
  /** How many products have interactions in the training data. */
  productsWithAny: number
  /** At most so many units or sessions are asked, evenly spread. Default: 50,000 units, 10,000 sessions. */
  most?: number
}

/**
 * Judges lists for units: which of the products that each one took up later are in its list. Recall is the share of them,
 * NDCG also asks for their places. What a unit has seen before is neither recommended nor counted. Null without a unit
 * that took up something new.
 */
export function judgeUnits(
  train: Lists,
  later: Lists,
  { recommend, fallback, productsWithAny, most = mostUnits }: Judging,
): Metrics | null {
  const sums = { recall: 0, ndcg: 0, fallbacks: 0, lists: 0 }
  const covered = new Set<number>()
  for (const unit of spread(later, most)) {
    const seen = listOf(train, unit)
    const wanted = newProducts(seen, listOf(later, unit))
    if (wanted.size === 0) continue
    const list = listFor(recommend, fallback, seen, seen)
    for (const product of list.isFallback ? [] : list.numbers) covered.add(product)
    const gains = [...list.numbers].map((product) => wanted.has(product))
    sums.recall += gains.filter(Boolean).length / wanted.size
    sums.ndcg += gainOf(gains) / gainOf(Array(Math.min(judged, wanted.size)).fill(true))
    sums.fallbacks += list.isFallback ? 1 : 0
    sums.lists += 1
  }
  if (sums.lists === 0) return null
  return {
    recall20: sums.recall / sums.lists,
    ndcg20: sums.ndcg / sums.lists,
    ...{ hitRate20: null, mrr20: null },
    ...sharesOf(covered, sums, productsWithAny),
  }
}

/**
 * Judges lists for sessions: whether the next new product is in the list after each one, and the mean of 1 / its place.
 * Null without sessions.
 */
export function judgeSessions(
  later: Lists,
  { recommend, fallback, productsWithAny, most = mostSessions }: Judging,
): Metrics | null {
  const sums = { hits: 0, reciprocal: 0, fallbacks: 0, lists: 0 }
  const covered = new Set<number>()
  for (const session of spread(later, most)) {
    const products = listOf(later, session)
    for (let at = 1; at < products.length; at += 1) {
      const seen = products.subarray(0, at)
      const list = listFor(recommend, fallback, seen, seen)
      for (const product of list.isFallback ? [] : list.numbers) covered.add(product)
      const place = list.numbers.indexOf(products[at]!)
      sums.hits += place === -1 ? 0 : 1
      sums.reciprocal += place === -1 ? 0 : 1 / (place + 1)
      sums.fallbacks += list.isFallback ? 1 : 0
      sums.lists += 1
    }
  }
  if (sums.lists === 0) return null
  return {
    ...{ recall20: null, ndcg20: null },
    hitRate20: sums.hits / sums.lists,
    mrr20: sums.reciprocal / sums.lists,
    ...sharesOf(covered, sums, productsWithAny),
  }
}

/** Lists that have something, evenly spread over all of them. */
function spread(lists: Lists, most: number): number[] {
  const all = [...Array(listCount(lists)).keys()].filter((list) => listOf(lists, list).length > 0)
  const count = Math.min(most, all.length)
  return Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)]!)
}

const sharesOf = (covered: Set<number>, { fallbacks, lists }: { fallbacks: number; lists: number }, of: number) => ({
  coverage20: of === 0 ? 0 : covered.size / of,
  fallbackShare: fallbacks / lists,
})

function listFor(recommend: Recommend, fallback: Recommend, seen: ArrayLike<number>, excluded: ArrayLike<number>) {
  const { numbers } = recommend(seen, excluded, judged)
  if (numbers.length > 0) return { numbers, isFallback: false }
  return { numbers: fallback(seen, excluded, judged).numbers, isFallback: true }
}

function newProducts(seen: Uint32Array, later: Uint32Array): Set<number> {
  const wanted = new Set(later)
  for (const product of seen) wanted.delete(product)
  return wanted
}

/** Discounted cumulative gain of a list of hits and misses. */
const gainOf = (gains: readonly boolean[]): number =>
  gains.reduce((sum, isHit, place) => sum + (isHit ? 1 / Math.log2(place + 2) : 0), 0)

/** The same list for everybody, without what is excluded. */
export function fromRanked({ numbers }: Pick<Ranked, 'numbers'>): Recommend {
  return (_seen, excluded, most) => {
    const left = new Set(Array.from(excluded))
    const list = new Uint32Array(Math.min(most, numbers.length))
    let size = 0
    for (let n = 0; n < numbers.length && size < most; n += 1)
      if (!left.has(numbers[n]!)) {
        list[size] = numbers[n]!
        size += 1
      }
    return { numbers: list.subarray(0, size) }
  }
}

export interface Choice {
  beta: number
  gamma: number
  /** With this choice. */
  recall20: number
}

/**
 * The β and γ with the best recall on the holdout. Dense data wants a large β, sparse data a small one. If two are equally
 * good, the smaller β and then the smaller γ is chosen. At most 10,000 units, evenly spread, are asked. Null without
 * a unit that took up something new.
 *
 * @param train what neighbours are counted from. Its rows are those units, unless `seen` has what each unit has seen
 */
export function chooseDamping(
  train: Rows,
  later: Lists,
  { most, isKept, seen = train }: Parameters<typeof neighboursByBeta>[2] & { seen?: Lists } = {},
): Choice | null {
  const degrees = degreesOf(train)
  const none: Recommend = () => ({ numbers: new Uint32Array(0) })
  const tables = neighboursByBeta(train, betas, { ...(most && { most }), ...(isKept && { isKept }) })
  let chosen: Choice | null = null
  for (const [n, beta] of betas.entries())
    for (const gamma of gammas) {
      const found: Neighbours = withGamma(tables[n]!, degrees, gamma)
      const recommend = fromNeighbours(found, train.productCount)
      const metrics = judgeUnits(seen, later, { recommend, fallback: none, productsWithAny: 1, most: unitsForChoice })
      if (metrics && (chosen === null || metrics.recall20! > chosen.recall20))
        chosen = { beta, gamma, recall20: metrics.recall20! }
    }
  return chosen
}
