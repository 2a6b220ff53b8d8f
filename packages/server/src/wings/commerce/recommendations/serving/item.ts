import { type Condition, compileCondition, type Predicate } from '@svc/core'
import { availabilities } from '@svc/recommend'
import { type Amount, categoryPath, type Item, type ShelfItem } from '../../../model/catalog/index.ts'
import type { PlacementContent } from '../placements/index.ts'

const perUnit = 10_000
const numberOf = (amount: number | null | undefined): number | null => (amount == null ? null : amount / perUnit)

/** The sale price; null if there is no sale, for which shops also write 0 or the price once more. */
const salePriceOf = ({ price = 0, salePrice = null }: ShelfItem['doc']): Amount | null =>
  salePrice !== null && salePrice > 0 && salePrice < price ? salePrice : null

/** An item as conditions see it: amounts are numbers. */
export const seenByConditions = ({ doc, itemId, productId, availability, sourceId }: ShelfItem) => ({
  ...doc,
  ...{ itemId, productId, availability, sourceId },
  ...{ price: numberOf(doc.price), salePrice: numberOf(salePriceOf(doc)), cost: numberOf(doc.cost) },
})

/** Whether visitors pay the sale price at a moment. */
export function isOnSale(doc: ShelfItem['doc'], now: Date): boolean {
  const { saleFrom, saleUntil } = doc
  const at = now.toISOString()
  return salePriceOf(doc) !== null && (saleFrom ?? '') <= at && at < (saleUntil ?? '~')
}

/** An item as conditions of anybody see it: a sale that has not begun would tell what will be cheaper, and when. */
export const seenByRequests = (item: ShelfItem, now: Date) => ({
  ...seenByConditions(item),
  ...(!isOnSale(item.doc, now) && { salePrice: null, saleFrom: null, saleUntil: null }),
})

/** What the placements of a project ask of each item. */
export interface ItemTests {
  /** By the JSON of the condition. */
  conditions: ReadonlyMap<string, Predicate>
  /** The attributes that boosts compare. */
  attributes: readonly string[]
  /** The long fields of items that nothing asks for. */
  unread: readonly string[]
}

const longFields = ['title', 'description', 'link', 'imageLink', 'additionalImageLinks']
const ofAttribute = 'attributes.'

export const conditionKey = (condition: Condition): string => JSON.stringify(condition)

/** The filters of the variants and the conditions of their boosts, each once. */
export function testsOf(placements: readonly Pick<PlacementContent, 'variants'>[]): ItemTests {
  const conditions = new Map<string, Predicate>()
  const attributes = new Set<string>()
  for (const { variants } of placements)
    for (const { filter, boosts } of Object.values(variants)) {
      const asked = boosts.flatMap((boost) => ('when' in boost ? [boost.when] : []))
      for (const condition of filter === null ? asked : [filter, ...asked]) {
        const key = conditionKey(condition)
        if (!conditions.has(key)) conditions.set(key, compileCondition(condition))
      }
      for (const boost of boosts)
        if ('sameAs' in boost && boost.sameAs.startsWith(ofAttribute))
          attributes.add(boost.sameAs.slice(ofAttribute.length))
    }
  const texts = [...conditions.keys()]
  const unread = longFields.filter((field) => !texts.some((text) => text.includes(`"attribute":"${field}"`)))
  return { conditions, attributes: [...attributes], unread }
}

/** Whether a shelf that was made with these tests can answer those. */
export const covers = (made: ItemTests, wanted: ItemTests): boolean =>
  [...wanted.conditions.keys()].every((key) => made.conditions.has(key)) &&
  wanted.attributes.every((name) => made.attributes.includes(name))

/** What a shelf keeps of an item. */
export interface ItemFacts {
  itemId: string
  productId: string
  availability: number
  price: number
  /** NaN without one. */
  salePrice: number
  /** Milliseconds since 1970. */
  saleFrom: number
  saleUntil: number
  brand: string | null
  category: string | null
  /** By the number of the attribute in the tests. */
  attributes: (string | null)[]
  /** By the number of the condition in the tests. */
  passes: boolean[]
}

export const stateOf = (availability: Item['availability']): number => {
  if (availability === 'IN_STOCK') return availabilities.inStock
  return availability === 'OUT_OF_STOCK' ? availabilities.outOfStock : availabilities.later
}

export function factsOf(item: ShelfItem, { conditions, attributes }: ItemTests): ItemFacts {
  const { doc, itemId, productId, availability } = item
  const seen = seenByConditions(item)
  return {
    ...{ itemId, productId },
    availability: stateOf(availability),
    price: doc.price ?? 0,
    salePrice: salePriceOf(doc) ?? Number.NaN,
    saleFrom: doc.saleFrom ? Date.parse(doc.saleFrom) : Number.NEGATIVE_INFINITY,
    saleUntil: doc.saleUntil ? Date.parse(doc.saleUntil) : Number.POSITIVE_INFINITY,
    brand: doc.brand ?? null,
    category: categoryPath(doc.categories ?? []) || null,
    attributes: attributes.map((name) => doc.attributes?.[name] ?? null),
    passes: [...conditions.values()].map((holds) => holds(seen)),
  }
}
