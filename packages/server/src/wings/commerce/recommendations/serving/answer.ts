import { type Candidate, pinsAt, type RankedList, rank } from '@svc/recommend'
import { type Item, printAmount } from '../../../model/catalog/index.ts'
import type { LiveModel } from '../models/live.ts'
import type { PlacementContent, Variant } from '../placements/index.ts'
import { conditionKey, isOnSale } from './item.ts'
import { listsFor } from './lists.ts'
import type { RequestBody } from './schema.ts'
import { numberOf, type ProjectShelf, productCalled, updatePrices } from './shelf.ts'

/** What a request asks, on a shelf. */
export interface Asked {
  shelf: ProjectShelf
  placement: PlacementContent
  body: Omit<RequestBody, 'sdkKey' | 'placement'>
  models: readonly LiveModel[]
  /** What the service knows of the visitor, if the placement uses it: ids of products. */
  history: { seen: readonly string[]; bought: readonly string[] }
  now: Date
  /** Whether every candidate is told. */
  explains?: boolean
}

/** What is not asked for an item yet: the filter of the request. */
export interface Prepared {
  /** The products that can be candidates, each once. */
  products(): readonly number[]
  rank(passes: ((item: number) => boolean) | null): RankedList
}

const mostCandidates = 2_000
const bought = 'order'

/** Undefined for a variant that the placement does not have. */
export function prepare({
  shelf,
  placement,
  body,
  models,
  history,
  now,
  explains = false,
}: Asked): Prepared | undefined {
  const variant = Object.hasOwn(placement.variants, body.variant) ? placement.variants[body.variant]! : undefined
  if (!variant) return undefined
  updatePrices(shelf, now.getTime())
  const numbers = (ids: readonly string[]) => known(ids.map((id) => numberOf(shelf.productIds, id)))
  const context = numbers(body.productIds)
  const recent = body.recent.filter(({ action }) => action !== bought).map(({ productId }) => productId)
  const orders = body.recent.filter(({ action }) => action === bought).map(({ productId }) => productId)
  const visit = {
    context,
    seen: numbers(recent.length > 0 ? recent : history.seen),
    category: body.category ?? null,
  }
  // Most lists are full before all strategies were asked.
  const lists = () => listsFor(variant.strategies, { shelf, models }, visit)
  const pins = pinsOn(shelf, variant, now)
  return {
    products: () => candidatesIn([pins.map(({ product }) => product), ...[...lists()].map((list) => list.numbers)]),
    rank: (passes) =>
      rank(shelf, {
        ...{ lists: lists(), passes, pins, context, explains },
        limit: body.limit ?? placement.limit,
        allowed: variant.filter === null ? null : (shelf.passes.get(conditionKey(variant.filter)) ?? null),
        includesLater: placement.includePreorder,
        sameCategory: variant.sameCategory,
        excluded: numbers(body.exclude),
        // An order has ids of items.
        bought: variant.excludeBought
          ? known([...orders, ...history.bought].map((id) => productCalled(shelf, id)))
          : [],
        boosts: boostsOn(shelf, variant),
        sameAs: variant.boosts.flatMap((boost) =>
          'sameAs' in boost ? [{ values: valuesOf(shelf, boost.sameAs), factor: boost.factor }] : [],
        ),
        maxPerBrand: variant.maxPerBrand,
        maxPerCategory: variant.maxPerCategory,
      }),
  }
}

const known = (numbers: readonly number[]): number[] => numbers.filter((number) => number !== -1)

function candidatesIn(lists: readonly ArrayLike<number>[]): number[] {
  const products = new Set<number>()
  for (const list of lists)
    for (let n = 0; n < list.length && products.size < mostCandidates; n += 1) products.add(list[n]!)
  return [...products]
}

function pinsOn(shelf: ProjectShelf, { pins }: Variant, now: Date) {
  const timed = pins.map(({ productId, position, from, until }) => ({
    product: numberOf(shelf.productIds, productId),
    position,
    from: from === null ? null : new Date(from),
    until: until === null ? null : new Date(until),
  }))
  return pinsAt(timed, now).filter(({ product }) => product !== -1)
}

function valuesOf(shelf: ProjectShelf, sameAs: string): Int32Array {
  if (sameAs === 'brand') return shelf.brands
  if (sameAs === 'category') return shelf.categories
  return shelf.attributes.get(sameAs.slice('attributes.'.length)) ?? new Int32Array(shelf.productIds.length).fill(-1)
}

/** The factors of a variant by item, made once for a shelf. */
const factors = new WeakMap<ProjectShelf, Map<string, Float32Array>>()

function boostsOn(shelf: ProjectShelf, { boosts }: Variant): Float32Array | null {
  const conditional = boosts.flatMap((boost) => ('when' in boost ? [boost] : []))
  if (conditional.length === 0) return null
  const ofShelf = factors.get(shelf) ?? new Map<string, Float32Array>()
  factors.set(shelf, ofShelf)
  const key = JSON.stringify(conditional)
  const made = ofShelf.get(key)
  if (made) return made
  const array = new Float32Array(shelf.itemIds.length).fill(1)
  for (const { when, factor } of conditional) {
    const passing = shelf.passes.get(conditionKey(when))
    for (let item = 0; item < array.length; item += 1) if (passing?.has(item)) array[item]! *= factor
  }
  ofShelf.set(key, array)
  return array
}

/** What a page shows of an item. */
export function shownProduct(doc: Partial<Item>, now: Date) {
  const { title = '', link = '', imageLink = null, price = 0, salePrice = null, currency = '' } = doc
  return {
    ...{ title, link, imageLink, currency },
    price: printAmount(price),
    salePrice: salePrice !== null && isOnSale(doc, now) ? printAmount(salePrice) : null,
  }
}

/** A candidate as a preview tells it. */
export const told = ({ productIds }: ProjectShelf, { product, strategy, score, reason }: Candidate) => ({
  productId: productIds[product]!,
  strategy,
  score,
  included: reason === null,
  reason,
})
