import {
  belongTogether,
  type Choice,
  chooseDamping,
  cosine,
  degreesOf,
  fromNeighbours,
  fromRanked,
  fromSessions,
  holdoutFrom,
  type Interactions,
  judged,
  judgeSessions,
  judgeUnits,
  listCount,
  listOf,
  type Metrics,
  type Neighbours,
  neighbours,
  type Occurrences,
  popular,
  type Recommend,
  type Rows,
  rowsOf,
  sessionIndex,
  sessionsOf,
  splitAt,
} from '@svc/recommend'
import type { RunMetrics } from '../../../../../catalogue/payloads.ts'
import { type Built, built, inOrder } from './built.ts'
import type { Gathered } from './gathered.ts'

/** No unit, or no order. The same as in `gathered.ts`. */
const nobody = 0xffffffff

type Kept = (pair: Occurrences) => boolean

/** Interactions with the counts that rows are made with. */
interface Known {
  ids: readonly string[]
  unitCount: number
  orderCount: number
  /** Whose units are known: all of them, and those that are no orders. */
  ofUnits: Interactions
  viewed: Interactions
  /** What was bought, with the numbers of visitors, and the same with the numbers of orders. */
  bought: Interactions
  baskets: Interactions
}

function knownOf(gathered: Gathered): Known {
  const { ids, interactions } = inOrder(gathered)
  const { orders, unitCount, orderCount } = gathered
  const { units } = interactions
  const pick = (holds: (place: number) => boolean, numbers: Uint32Array): Interactions => {
    const places = Uint32Array.from(units.keys()).filter(holds)
    return {
      units: places.map((place) => numbers[place]!),
      products: places.map((place) => interactions.products[place]!),
      at: Float64Array.from(places, (place) => interactions.at[place]!),
      weights: Float32Array.from(places, (place) => interactions.weights[place]!),
    }
  }
  return {
    ...{ ids, unitCount, orderCount },
    ofUnits: pick((place) => units[place] !== nobody, units),
    viewed: pick((place) => units[place] !== nobody && orders[place] === nobody, units),
    bought: pick((place) => units[place] !== nobody && orders[place] !== nobody, units),
    baskets: pick((place) => orders[place] !== nobody, orders),
  }
}

/** The neighbours of visitors × products that they looked at. */
export function viewedTogether(gathered: Gathered): Built {
  const { ids, unitCount, viewed } = knownOf(gathered)
  const counts = { unitCount, productCount: ids.length }
  const measured = measuredOn(viewed, viewed, { rows: counts, judged: counts })
  const rows = rowsOf(viewed, counts)
  return built([{ kind: 'NEIGHBOURS', ids, neighbours: neighbours(rows, measured.damping) }], measured.metrics)
}

/**
 * The neighbours of orders × products, of pairs that chance does not explain. A product that was not bought with another
 * one has those that were viewed together with it.
 */
export function boughtTogether(gathered: Gathered): Built {
  const { ids, unitCount, orderCount, viewed, bought, baskets } = knownOf(gathered)
  const ofOrders = { unitCount: orderCount, productCount: ids.length }
  const counts = { unitCount, productCount: ids.length }
  const measured = measuredOn(baskets, bought, { rows: ofOrders, judged: counts, isKept: belongTogether })
  const found = neighbours(rowsOf(baskets, ofOrders), { ...measured.damping, isKept: belongTogether })
  const otherwise = neighbours(rowsOf(viewed, counts), damping)
  return built([{ kind: 'NEIGHBOURS', ids, neighbours: filled(found, otherwise) }], measured.metrics)
}

/** What visitors who went the same way went on to, and their neighbours for whom nobody did. */
export function forYou(gathered: Gathered): Built {
  const { ids, unitCount, ofUnits } = knownOf(gathered)
  const counts = { unitCount, productCount: ids.length }
  const measured = measuredOn(ofUnits, ofUnits, { rows: counts, judged: counts })
  const index = sessionIndex(sessionsOf(ofUnits, counts))
  const table = neighbours(rowsOf(ofUnits, counts), measured.damping)
  const metrics = sessionMetrics(ofUnits, counts, measured.damping)
  return built(
    [
      { kind: 'SESSIONS', ids, index },
      { kind: 'NEIGHBOURS', ids, neighbours: table },
    ],
    metrics,
  )
}

/** Without a holdout, the middle of what is tried. */
const damping = { beta: cosine.beta, gamma: cosine.gamma }

interface Counts {
  unitCount: number
  productCount: number
}

interface Measured {
  damping: Pick<Choice, 'beta' | 'gamma'>
  metrics: RunMetrics
}

/**
 * Learns from all but the last days, chooses how much popularity is damped, and measures the choice on the last days,
 * beside what is popular.
 *
 * @param learned what neighbours come from, and `judged` what is looked for, by visitor
 */
function measuredOn(
  learned: Interactions,
  asked: Interactions,
  { rows, judged: units, isKept }: { rows: Counts; judged: Counts; isKept?: Kept },
): Measured {
  const from = holdoutFrom(learned)
  if (from === null) return { damping, metrics: null }
  const before = splitAt(learned, from).before
  const train = rowsOf(before, rows)
  const [seen, later] = [rowsOf(splitAt(asked, from).before, units), rowsOf(splitAt(asked, from).after, units)]
  const chosen = chooseDamping(train, later, { seen, ...(isKept && { isKept }) })
  if (chosen === null) return { damping, metrics: null }
  const table = neighbours(train, { ...chosen, ...(isKept && { isKept }) })
  const fallback = popularIn(before)
  const productsWithAny = productsIn(train)
  const judging = { fallback, productsWithAny }
  const metrics = judgeUnits(seen, later, { ...judging, recommend: fromNeighbours(table, rows.productCount) })
  const beside = judgeUnits(seen, later, { ...judging, recommend: fallback })
  return { damping: chosen, metrics: metricsOf(metrics, beside) }
}

/** Measures on the sessions of the last days which of their next products are found. */
function sessionMetrics(interactions: Interactions, counts: Counts, chosen: Measured['damping']): RunMetrics {
  const from = holdoutFrom(interactions)
  if (from === null) return null
  const { before, after } = splitAt(interactions, from)
  const train = rowsOf(before, counts)
  const bySessions = fromSessions(sessionIndex(sessionsOf(before, counts)))
  const byNeighbours = fromNeighbours(neighbours(train, chosen), counts.productCount)
  const recommend: Recommend = (seen, excluded, most) => {
    const found = bySessions(seen, excluded, most)
    return found.numbers.length > 0 ? found : byNeighbours(seen, excluded, most)
  }
  const fallback = popularIn(before)
  const judging = { fallback, productsWithAny: productsIn(train) }
  const later = sessionsOf(after, counts)
  return metricsOf(
    judgeSessions(later, { ...judging, recommend }),
    judgeSessions(later, { ...judging, recommend: fallback }),
  )
}

/** A list has to be longer than what is judged, because what a visitor has seen is taken out of it. */
const mostPopular = 50 * judged

function popularIn(before: Interactions): Recommend {
  const now = before.at.reduce((latest, at) => Math.max(latest, at), 0)
  return fromRanked(popular(before, { now, most: mostPopular }))
}

const productsIn = (rows: Rows): number => degreesOf(rows).reduce((count, degree) => count + (degree > 0 ? 1 : 0), 0)

const metricsOf = (model: Metrics | null, beside: Metrics | null): RunMetrics =>
  model && beside && { ...rounded(model), popular: rounded(beside) }

/** More digits say nothing, and would not be read. */
const rounded = (metrics: Metrics): Metrics => {
  const share = (value: number) => Math.round(value * 1e6) / 1e6
  const figure = (value: number | null) => (value === null ? null : share(value))
  return {
    recall20: figure(metrics.recall20),
    ndcg20: figure(metrics.ndcg20),
    hitRate20: figure(metrics.hitRate20),
    mrr20: figure(metrics.mrr20),
    coverage20: share(metrics.coverage20),
    fallbackShare: share(metrics.fallbackShare),
  }
}

/** A table with the lists of another one where it has none. */
function filled(table: Neighbours, other: Neighbours): Neighbours {
  const count = listCount(table)
  const sourceOf = (product: number) => (listOf(table, product).length > 0 ? table : other)
  const starts = new Uint32Array(count + 1)
  for (let product = 0; product < count; product += 1)
    starts[product + 1] = starts[product]! + listOf(sourceOf(product), product).length
  const numbers = new Uint32Array(starts[count]!)
  const scores = new Float32Array(starts[count]!)
  for (let product = 0; product < count; product += 1) {
    const source = sourceOf(product)
    const [from, until] = [source.starts[product]!, source.starts[product + 1]!]
    numbers.set(source.numbers.subarray(from, until), starts[product])
    scores.set(source.scores.subarray(from, until), starts[product])
  }
  return { starts, numbers, scores }
}
