import { percentText, whole } from '../../../ui/words/percent.ts'
import type { Source } from './source.ts'

export const brings: Record<Source['type'], string> = {
  PRODUCTS: 'Products',
  SUPPLEMENT: 'Some fields of products',
  ORDERS: 'Orders',
}

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

export type ItemField = keyof typeof itemFields

export const fieldName = (field: string): string => itemFields[field as ItemField] ?? field

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
export const shareText = (fraction: number): string => `${percentText(Math.round(fraction * whole))} %`

/** What becomes of a file that a person sends. */
export function consequenceOf({ type, mode }: Pick<Source, 'type' | 'mode'>): string {
  if (type === 'ORDERS') return 'All of it is checked first. Then its orders count at once, unless a limit holds it.'
  const first =
    type === 'PRODUCTS'
      ? { FULL: 'Items of this source that it does not have are removed.', DELTA: 'Items that it does not have stay.' }
      : {
          FULL: 'What this source said before and the file does not have is removed.',
          DELTA: 'What it does not have stays.',
        }
  return `${first[mode]} Visitors get the result at once, unless a limit holds it.`
}

/** When a sync is held, in a sentence for each limit. */
export function guardsInWords({ mode, guards, type }: Pick<Source, 'mode' | 'guards' | 'type'>): string[] {
  const { maxRemovedShare, maxSkippedShare, maxPriceShiftShare, minItems } = guards
  const isFull = mode === 'FULL'
  return [
    ...(isFull && maxRemovedShare !== undefined
      ? [`More than ${shareText(maxRemovedShare)} of its items would be removed.`]
      : []),
    ...(maxSkippedShare !== undefined
      ? [`More than ${shareText(maxSkippedShare)} of the rows would be skipped because something is wrong with them.`]
      : []),
    ...(type !== 'ORDERS' && maxPriceShiftShare !== undefined
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
export const modeInWords = (mode: Source['mode']): string =>
  mode === 'FULL' ? 'Items that the file does not have' : 'Items whose row says “deleted”'
