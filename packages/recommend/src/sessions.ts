import { best, type Ranked } from './best.ts'
import { byUnit, type Interactions, type Lists, listCount, listOf, listsOf, type Rows, transposed } from './rows.ts'

/** A session ends after this time without an action. */
export const sessionGapMs = 30 * 60_000
const mostSessions = 2_000_000

/** Settings of VMIS-kNN. */
export const sessionSettings = {
  /** L: how many of the last products are looked at. */
  last: 4,
  /** m: the most recent sessions of each of them. */
  recent: 1_500,
  /** k: the most similar of these sessions. */
  similar: 300,
} as const

/** Past sessions, the oldest first, each with its products in the order in which they came, without repeats. */
export interface Sessions extends Lists {
  productCount: number
}

/**
 * Cuts the actions of each unit into sessions. One that has a single product connects nothing and is left out. Sessions
 * are in the order of their ends, then of their units.
 */
export function sessionsOf(
  { units, products, at }: Pick<Interactions, 'units' | 'products' | 'at'>,
  { unitCount, productCount, most = mostSessions }: { unitCount: number; productCount: number; most?: number },
): Sessions {
  const places = byUnit({ units }, unitCount)
  const found: { endedAt: number; products: number[] }[] = []
  for (let unit = 0; unit < unitCount; unit += 1) {
    const inTime = listOf(places, unit)
      .slice()
      .sort((one, other) => at[one]! - at[other]! || products[one]! - products[other]!)
    let session = new Set<number>()
    let endedAt = Number.NEGATIVE_INFINITY
    const end = () => {
      if (session.size > 1) found.push({ endedAt, products: [...session] })
    }
    for (const place of inTime) {
      if (at[place]! - endedAt > sessionGapMs) {
        end()
        session = new Set()
      }
      session.add(products[place]!)
      endedAt = at[place]!
    }
    end()
  }
  // Sorting is stable, so units stay in their order.
  found.sort((one, other) => one.endedAt - other.endedAt)
  return { ...listsOf(found.slice(-most).map(({ products: of }) => of)), productCount }
}

/** What a node looks sessions up in: two compressed indexes. */
export interface SessionIndex {
  /** The products of each session. */
  sessions: Lists
  /** The most recent sessions of each product, the oldest first. */
  ofProducts: Lists
  /** By product: ln(sessions / sessions with it); 0 for a product without a session. */
  idf: Float32Array
}

/** Indexes sessions. There is nothing to train. */
export function sessionIndex(sessions: Sessions, recent: number = sessionSettings.recent): SessionIndex {
  const { productCount } = sessions
  const all = transposed(sessions satisfies Rows)
  const total = listCount(sessions)
  const lists: Uint32Array[] = []
  const idf = new Float32Array(productCount)
  for (let product = 0; product < productCount; product += 1) {
    const list = listOf(all, product)
    lists.push(list.subarray(Math.max(0, list.length - recent)))
    if (list.length > 0) idf[product] = Math.log(total / list.length)
  }
  return { sessions: { starts: sessions.starts, numbers: sessions.numbers }, ofProducts: listsOf(lists), idf }
}

/**
 * What to recommend in a session, from past sessions like it: VMIS-kNN. Of the last products, the latest weighs most. The
 * most similar sessions vote for their products with Σ (1 − 0.1 · position of the latest match) · similarity · idf.
 * `seen` has the oldest product first. The returned function can be called again and again.
 *
 * Source: Kersbergen, Sprangers and Schelter, "Serenade: low-latency session-based recommendation", SIGMOD 2022.
 */
export function fromSessions(
  { sessions, ofProducts, idf }: SessionIndex,
  { last = sessionSettings.last, similar = sessionSettings.similar }: { last?: number; similar?: number } = {},
): (seen: ArrayLike<number>, excluded: ArrayLike<number>, most: number) => Ranked {
  const total = listCount(sessions)
  const similarities = new Float64Array(total)
  const latestMatch = new Uint8Array(total)
  const touched = new Uint32Array(total)
  const sums = new Float64Array(idf.length)
  const products = new Uint32Array(idf.length)
  return (seen, excluded, most) => {
    const latest = latestProducts(seen, last)
    let count = 0
    for (const [n, product] of latest.entries())
      for (const session of listOf(ofProducts, product)) {
        if (similarities[session] === 0) {
          touched[count] = session
          latestMatch[session] = n + 1
          count += 1
        }
        similarities[session]! += (latest.length - n) / latest.length
      }
    const nearest = best(similar)
    // Of equally similar sessions, the most recent ones count.
    for (let n = 0; n < count; n += 1) nearest.offer(total - 1 - touched[n]!, similarities[touched[n]!]!)
    const { numbers, scores } = nearest.take()
    let met = 0
    for (const [n, fromEnd] of numbers.entries()) {
      const session = total - 1 - fromEnd
      const vote = Math.max(0, 1 - 0.1 * latestMatch[session]!) * scores[n]!
      for (const product of listOf(sessions, session)) {
        if (vote * idf[product]! === 0) continue
        if (sums[product] === 0) {
          products[met] = product
          met += 1
        }
        sums[product]! += vote * idf[product]!
      }
    }
    for (let n = 0; n < count; n += 1) similarities[touched[n]!] = 0
    for (let n = 0; n < excluded.length; n += 1) sums[excluded[n]!] = 0
    const kept = best(most)
    for (let n = 0; n < met; n += 1) {
      const product = products[n]!
      if (sums[product]! > 0) kept.offer(product, sums[product]!)
      sums[product] = 0
    }
    return kept.take()
  }
}

/** The last products without repeats, the latest first. */
function latestProducts(seen: ArrayLike<number>, last: number): number[] {
  const latest = new Set<number>()
  for (let n = seen.length - 1; n >= 0 && latest.size < last; n -= 1) latest.add(seen[n]!)
  return [...latest]
}
