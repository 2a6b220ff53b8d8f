import { allOf } from '../../../ui/words/lists.ts'
import { percentOf, whole } from '../../../ui/words/percent.ts'
import type { Source } from './source.ts'

export const brings: Record<Source['type'], string> = {
  PRODUCTS: 'Products',
  SUPPLEMENT: 'Some fields of products',
  ORDERS: 'Orders',
}

/** What to choose a type for. */
export const aboutTypes: Record<Source['type'], string> = {
  PRODUCTS: 'A product feed: all items of your shop, or those that have changed.',
  SUPPLEMENT: 'Costs, stock or the like from a second file. They win over the values of the feed.',
  ORDERS: 'Orders, refunds and cancellations, so that results count what your shop knows.',
}

type SupplementField = NonNullable<Source['fields']>[number]

/** What a supplement can set. */
export const supplementFields = {
  cost: 'Cost',
  stock: 'Stock',
  salePrice: 'Sale price',
  labels: 'Labels',
} as const satisfies Record<SupplementField, string>

/** "Cost and Stock". */
export const fieldsInWords = (fields: readonly string[]): string => allOf(fields.map(fieldName))

export const formats: Record<Source['format'], string> = {
  AUTO: 'Found from the file',
  GOOGLE_XML: 'XML of Google (RSS or Atom)',
  CSV: 'CSV',
  TSV: 'Text with tabs (TSV)',
  JSONL: 'JSON, an object in each line',
  SHOPIFY_JSON: 'JSON of Shopify (products.json)',
}

export const encodings: Record<Source['encoding'], string> = { 'utf-8': 'UTF-8', 'windows-1252': 'Windows-1252' }

/** The fields of an item, in the order in which people look for them. */
export const itemFields = {
  itemId: 'Item id',
  productId: 'Product id',
  title: 'Title',
  description: 'Description',
  link: 'Link',
  imageLink: 'Link to the image',
  additionalImageLinks: 'Links to more images',
  price: 'Price',
  salePrice: 'Sale price',
  saleFrom: 'Sale from',
  saleUntil: 'Sale until',
  currency: 'Currency',
  cost: 'Cost',
  availability: 'Availability',
  stock: 'Stock',
  brand: 'Brand',
  categories: 'Categories',
  labels: 'Labels',
  condition: 'Condition',
  adult: 'Adults only',
  gtin: 'GTIN',
  mpn: 'MPN',
  sku: 'SKU',
} as const

/** The fields of an order, and those of its lines. */
const orderFields = {
  orderId: 'Order id',
  placedAt: 'Time of the order',
  unit: 'Visitor',
  currency: 'Currency',
  total: 'Total',
  tax: 'Tax',
  shipping: 'Shipping',
  discount: 'Discount',
  status: 'Status',
  refundedAmount: 'Refunded amount',
  itemId: 'Item id',
  quantity: 'Quantity',
  refundedQuantity: 'Refunded quantity',
  price: 'Price of one piece',
  cost: 'Cost of one piece',
} as const

const names = ['itemId', 'sku', 'gtin', 'currency'] as const

/** The fields that the file of a source can bring. */
export function fieldsOf(type: Source['type'], sets: readonly string[]): Record<string, string> {
  if (type === 'ORDERS') return orderFields
  if (type === 'PRODUCTS') return itemFields
  return Object.fromEntries([...names, ...sets].map((field) => [field, fieldName(field)]))
}

export const fieldName = (field: string): string =>
  ({ ...orderFields, ...itemFields })[field as keyof typeof itemFields] ?? field

/** A type of source reads these formats. */
export const formatsOf = (type: Source['type']): Record<string, string> => {
  const { GOOGLE_XML: _xml, SHOPIFY_JSON: _shopify, ...plain } = formats
  return type === 'ORDERS' ? plain : formats
}

/** The host of an address, or that files are sent. */
export const fromWhere = (url: string | null): string => (url === null ? 'Files that you send' : new URL(url).host)

/** How the file is asked for, without the secret. */
export function authInWords(auth: Source['auth']): string {
  if (auth === null) return 'No sign-in'
  const ending = auth.secret ? ` (${auth.secret})` : ''
  if (auth.type === 'BASIC') return `As ${auth.username}, with a password${ending}`
  if (auth.type === 'BEARER') return `With a bearer token${ending}`
  return `With the header ${auth.header}${ending}`
}

/** "20 %", from a fraction. */
export const shareText = (fraction: number): string => percentOf(Math.round(fraction * whole))

/** What becomes of a file that a person sends. */
export function consequenceOf({ type, mode }: Pick<Source, 'type' | 'mode'>): string {
  if (type === 'ORDERS') return 'All of it is checked first. Then its orders count at once, unless a limit holds it.'
  const first =
    type === 'PRODUCTS'
      ? { FULL: 'Items of this source that it does not have are removed.', DELTA: 'Items that it does not have stay.' }
      : {
          FULL: 'Values that an earlier file set and this one does not have are removed.',
          DELTA: 'What it does not have stays.',
        }
  return `${first[mode]} Visitors get the result at once, unless a limit holds it.`
}

/** When a sync is held, in a sentence for each limit. */
export function guardsInWords({ mode, guards, type }: Pick<Source, 'mode' | 'guards' | 'type'>): string[] {
  const { maxRemovedShare, maxSkippedShare, maxPriceShiftShare, minItems } = guards
  const isFull = mode === 'FULL'
  const isProducts = type === 'PRODUCTS'
  return [
    ...(isFull && maxRemovedShare !== undefined
      ? [
          isProducts
            ? `More than ${shareText(maxRemovedShare)} of its items would be removed.`
            : `More than ${shareText(maxRemovedShare)} of the items that it describes would lose their values.`,
        ]
      : []),
    ...(maxSkippedShare !== undefined
      ? [
          `More than ${shareText(maxSkippedShare)} of the ${type === 'ORDERS' ? 'orders' : 'rows'} would be skipped because something is wrong with them.`,
        ]
      : []),
    ...(isProducts && maxPriceShiftShare !== undefined
      ? [
          `More than ${shareText(maxPriceShiftShare)} of its items would get a price above double, below half or in a different currency.`,
        ]
      : []),
    ...(isFull && minItems === 1 ? ['The file has no item.'] : []),
    ...(isFull && minItems !== undefined && minItems > 1
      ? [`The file has fewer than ${minItems.toLocaleString('en')} items.`]
      : []),
  ]
}

/** What a sync removes. */
export function modeInWords(mode: Source['mode'], type: Source['type']): string {
  if (type === 'SUPPLEMENT') return mode === 'FULL' ? 'Values that the file does not have' : 'Nothing'
  return mode === 'FULL' ? 'Items that the file does not have' : 'Items whose row says “deleted”'
}
