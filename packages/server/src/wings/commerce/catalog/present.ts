import type { z } from 'zod'
import {
  type Catalog,
  type CatalogRevision,
  type ItemRow,
  type ProductRow,
  presentItem,
  printItem,
} from '../../model/catalog/index.ts'
import type { catalogSchema, productSchema, revisionSchema, wholeProductSchema } from './schema.ts'

export const presentCatalog = (catalog: Catalog): z.input<typeof catalogSchema> => ({
  currency: catalog.currency,
  rates: catalog.rates,
  orders: { trust: catalog.orderTrust, confirmedFrom: timesOf(catalog.ordersConfirmedFrom) },
  counts: { items: catalog.items, products: catalog.products },
  revision: catalog.revision,
  createdAt: catalog.createdAt.toISOString(),
  updatedAt: catalog.updatedAt.toISOString(),
})

const timesOf = (times: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(times).map(([of, time]) => [of, new Date(time).toISOString()]))

export function presentProduct({ id, itemCount, availableCount, availability, doc }: ProductRow) {
  const { title, link, imageLink, price, salePrice, saleFrom, saleUntil, currency, brand, categories } = printItem(doc)
  return {
    ...{ productId: id, itemCount, availableCount, availability },
    ...{ title, link, imageLink, price, salePrice, saleFrom, saleUntil, currency, brand, categories },
  } satisfies z.input<typeof productSchema>
}

export const presentWhole = (product: ProductRow, items: ItemRow[]): z.input<typeof wholeProductSchema> => ({
  ...presentProduct(product),
  items: items.map(presentItem),
})

export const presentRevision = (row: CatalogRevision): z.input<typeof revisionSchema> => {
  const { revision, added, changed, removed, unchanged, items, products, jobId, sourceId, madeAt, madeBy } = row
  return {
    ...{ revision, added, changed, removed, unchanged, jobId, sourceId, counts: { items, products } },
    ...{ createdAt: madeAt.toISOString(), createdBy: madeBy },
  }
}
