import {
  bytesOf,
  cosine,
  listCount,
  type Model,
  neighbours,
  numbered,
  type ProductContent,
  popular,
  type Ranked,
  tokenRows,
  trending,
} from '@svc/recommend'
import type { RunMetrics } from '../../../../../catalogue/payloads.ts'
import type { Gathered } from './gathered.ts'

/** What a thread builds, besides products that came before. */
export type Task = { strategy: 'POPULAR' | 'TRENDING'; gathered: Gathered; now: number } | { strategy: 'SIMILAR' }

export interface Product extends ProductContent {
  id: string
}

export interface Built {
  /** The models as bytes. */
  models: Uint8Array[]
  /** How many products there is something for. */
  products: number
  metrics: RunMetrics
}

/** A list of the best products is not longer. */
const mostRanked = 100_000

/** Builds the model of a strategy. Equal input gives equal bytes. */
export function build(task: Task, products: readonly Product[]): Built {
  switch (task.strategy) {
    case 'POPULAR':
    case 'TRENDING':
      return ranked(task)
    case 'SIMILAR':
      return similar(products)
  }
}

function ranked({ strategy, gathered, now }: Task & { strategy: 'POPULAR' | 'TRENDING' }): Built {
  const { ids, interactions } = inOrder(gathered)
  const ranking = { productCount: ids.length, now, most: mostRanked }
  const found = strategy === 'POPULAR' ? popular(interactions, ranking) : trending(interactions, ranking)
  return built([{ kind: 'RANKED', ids, ranked: found }], null)
}

/** Numbers products in the order of their ids, as models do. */
export function inOrder(gathered: Gathered) {
  const { productIds, products, units, at, weights } = gathered
  const { ids, numberOf } = numbered(productIds)
  const places = Uint32Array.from(productIds, (id) => numberOf(id)!)
  return { ids, interactions: { units, products: products.map((product) => places[product]!), at, weights } }
}

function similar(products: readonly Product[]): Built {
  const sorted = products.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const ids = sorted.map(({ id }) => id)
  return built([{ kind: 'NEIGHBOURS', ids, neighbours: neighbours(tokenRows(sorted), damping) }], null)
}

/** There is no holdout that says more: nobody has looked at the products yet. */
const damping = { beta: cosine.beta, gamma: cosine.gamma }

export const built = (models: readonly Model[], metrics: RunMetrics): Built => ({
  models: models.map(bytesOf),
  products: Math.max(...models.map(productsOf)),
  metrics,
})

/** How many products a model has something for. */
function productsOf(model: Model): number {
  if (model.kind === 'RANKED') return countOf(model.ranked)
  const lists = model.kind === 'NEIGHBOURS' ? model.neighbours : model.index.ofProducts
  let count = 0
  for (let list = 0; list < listCount(lists); list += 1) if (lists.starts[list + 1]! > lists.starts[list]!) count += 1
  return count
}

const countOf = ({ numbers }: Ranked): number => numbers.length
