import { type Availability, type Item, itemHash } from './item.ts'
import type { Amount } from './money.ts'
import { categoryPath, searchVector } from './search.ts'

/** An item as it is written, with what it is compared, found and counted by. */
export interface Version {
  itemId: string
  productId: string
  hash: string
  category: string
  price: Amount
  currency: string
  availability: Availability
  /** A `tsvector`. */
  words: string
  /** The item as JSON. */
  doc: string
}

/** @param hash that of the item, if it is known */
export function versionOf(projectId: string, item: Item, hash = itemHash(item)): Version {
  const { itemId, productId, price, currency, availability, categories } = item
  return {
    ...{ itemId, productId, hash, price, currency, availability },
    category: categoryPath(categories),
    words: searchVector(projectId, item),
    doc: JSON.stringify(item),
  }
}
