import { bytesOf, listCount, type Model, modelOf, numbered, type Ranked } from '@svc/recommend'
import type { RunMetrics } from '../../../../../catalogue/payloads.ts'
import type { Gathered } from './gathered.ts'

export interface Built {
  /** The models as bytes. */
  models: Uint8Array[]
  /** How many products there is something for. */
  products: number
  metrics: RunMetrics
}

/** Numbers products in the order of their ids, as models do. */
export function inOrder(gathered: Gathered) {
  const { productIds, products, units, at, weights } = gathered
  const { ids, numberOf } = numbered(productIds)
  const places = Uint32Array.from(productIds, (id) => numberOf(id)!)
  return { ids, interactions: { units, products: products.map((product) => places[product]!), at, weights } }
}

export const built = (models: readonly Model[], metrics: RunMetrics): Built => ({
  models: models.map(readable),
  products: Math.max(...models.map(productsOf)),
  metrics,
})

/** What nodes could not read must not go live in place of what they serve. */
function readable(model: Model): Uint8Array {
  const bytes = bytesOf(model)
  modelOf(bytes)
  return bytes
}

/** How many products a model has something for. */
function productsOf(model: Model): number {
  if (model.kind === 'RANKED') return countOf(model.ranked)
  const lists = model.kind === 'NEIGHBOURS' ? model.neighbours : model.index.ofProducts
  let count = 0
  for (let list = 0; list < listCount(lists); list += 1) if (lists.starts[list + 1]! > lists.starts[list]!) count += 1
  return count
}

const countOf = ({ numbers }: Ranked): number => numbers.length
