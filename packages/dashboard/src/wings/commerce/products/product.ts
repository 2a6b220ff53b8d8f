import type { Data } from '@svc/client'
import type { Chosen } from '../../../ui/table/filters.ts'
import { money } from '../../../ui/words/money.ts'

export const catalogPath = '/api/v1/projects/{projectId}/catalog'
export const productsPath = `${catalogPath}/products` as const
export const productPath = `${productsPath}/{productId}` as const
export const facetsPath = `${catalogPath}/facets` as const
export const categoriesPath = `${catalogPath}/categories` as const

export type Product = Data<typeof productsPath, 'get'>[number]
export type Item = Data<typeof productPath, 'get'>['items'][number]
type Availability = Product['availability']

export const availabilities = ['IN_STOCK', 'OUT_OF_STOCK', 'PREORDER', 'BACKORDER'] as const satisfies Availability[]

const fields = ['q', 'category', 'brand', 'availability'] as const
const chips = ['category', 'brand', 'availability'] as const

/** The filter in the address. */
export type ProductSearch = { [Field in (typeof fields)[number]]?: string }

/** The valid filters of an address; everything else is dropped. */
export function productSearch(search: Record<string, unknown>): ProductSearch {
  const given = fields.flatMap((field) => {
    // A word of digits comes as a number.
    const value = typeof search[field] === 'number' ? String(search[field]) : search[field]
    return typeof value === 'string' && value.trim() !== '' ? [[field, value.trim()]] : []
  })
  const found: ProductSearch = Object.fromEntries(given)
  if (!isAvailability(found.availability)) delete found.availability
  return found
}

const isAvailability = (text: string | undefined): text is Availability =>
  availabilities.some((availability) => availability === text)

/** The filter as the query of an API call. */
export const productQuery = ({ availability, ...others }: ProductSearch) => ({
  ...others,
  ...(isAvailability(availability) && { availability }),
})

/** The filters that are chips. Each has one value at most, because the API takes one. */
export const chosenIn = (search: ProductSearch): Chosen =>
  Object.fromEntries(chips.flatMap((field) => (search[field] ? [[field, [search[field]]]] : [])))

/** The address with these chips. The words stay. */
export const withChosen = ({ q }: ProductSearch, chosen: Chosen): ProductSearch =>
  productSearch({ q, ...Object.fromEntries(chips.map((field) => [field, chosen[field]?.[0]])) })

export type Facet = Data<typeof facetsPath, 'get'>

/** What a facet does not show, in a sentence; undefined if it shows all. */
export function facetNote({ hasMore, isWhole }: Facet, field: 'brand' | 'category'): string | undefined {
  const more = field === 'brand' ? 'Type to find more brands.' : 'Type to find more categories.'
  const part = 'Counted among 200,000 items.'
  return [hasMore ? more : '', isWhole ? '' : part].filter(Boolean).join(' ') || undefined
}

type Priced = Pick<Product, 'price' | 'salePrice' | 'saleFrom' | 'saleUntil' | 'currency'>

/** "€14.99, usually €19.99" during a sale. */
export function priceInWords({ price, salePrice, saleFrom, saleUntil, currency }: Priced, now: Date): string {
  const hasBegun = saleFrom === null || new Date(saleFrom) <= now
  const hasEnded = saleUntil !== null && new Date(saleUntil) <= now
  const usual = money(price, currency)
  // For no sale, shops write 0 or the price once more.
  const isCheaper = salePrice !== null && Number(salePrice) > 0 && Number(salePrice) < Number(price)
  return isCheaper && hasBegun && !hasEnded ? `${money(salePrice, currency)}, usually ${usual}` : usual
}

/** Why visitors cannot buy an item now. Undefined if they can. */
export function whyUnavailable({ availability, stock }: Pick<Item, 'availability' | 'stock'>): string | undefined {
  if (availability === 'OUT_OF_STOCK') return stock === 0 ? 'Its stock is 0.' : 'The shop sent it as out of stock.'
  if (availability === 'PREORDER') return 'It can only be ordered in advance.'
  if (availability === 'BACKORDER') return 'It can be ordered, and is sent later.'
  return undefined
}
