import { createHash } from 'node:crypto'
import { type Amount, isCurrency, parseAmount } from './money.ts'
import { howToWrite } from './written.ts'

export const availabilities = ['IN_STOCK', 'OUT_OF_STOCK', 'PREORDER', 'BACKORDER'] as const
export const conditions = ['NEW', 'REFURBISHED', 'USED'] as const

export type Availability = (typeof availabilities)[number]

/** An offer of a shop. Items with the same `productId` are variants of one product. */
export interface Item {
  itemId: string
  productId: string
  title: string
  description: string | null
  link: string
  imageLink: string | null
  additionalImageLinks: string[]
  availability: Availability
  stock: number | null
  price: Amount
  salePrice: Amount | null
  /** ISO 8601 in UTC, as `saleUntil`. */
  saleFrom: string | null
  saleUntil: string | null
  currency: string
  cost: Amount | null
  brand: string | null
  gtin: string | null
  mpn: string | null
  sku: string | null
  /** From the top level down. */
  categories: string[]
  condition: (typeof conditions)[number] | null
  adult: boolean
  labels: string[]
  attributes: Record<string, string>
}

/** Why a row gives no item. */
export type ErrorCode =
  | 'missing_id'
  | 'bad_id'
  | 'missing_title'
  | 'bad_url'
  | 'bad_price'
  | 'unknown_currency'
  | 'bad_value'
  | 'unknown_field'

/** What became of a value that could not be kept as it was sent. */
export type WarningCode = 'cut' | 'left_out' | 'rounded' | 'replaced'

export interface Problem<Code extends string = ErrorCode | WarningCode> {
  field: string
  code: Code
  message: string
}

export type CheckedItem = { item: Item; warnings: Problem<WarningCode>[] } | { errors: Problem<ErrorCode>[] }

export const maxIdLength = 100
export const maxTitleLength = 500
export const maxDescriptionLength = 5000
export const maxLinkLength = 2000
/** Brand, GTIN, MPN, SKU, a label, and the name of an attribute. */
export const maxWordLength = 100
/** Ten levels and what joins them fit into the entry of an index. */
export const maxCategoryLength = 80
export const maxAttributeLength = 1000
export const maxCategoryLevels = 10
export const maxImages = 10
export const maxLabels = 50
export const maxAttributes = 50
/** Of a catalog. More are not promised to be quick, and nobody has measured them. */
export const maxItems = 5_000_000
export const maxStock = 2 ** 31 - 1

/** In the order in which they are hashed. */
const fields: readonly (keyof Item)[] = [
  ...(['itemId', 'productId', 'title', 'description', 'link', 'imageLink', 'additionalImageLinks'] as const),
  ...(['availability', 'stock', 'price', 'salePrice', 'saleFrom', 'saleUntil', 'currency', 'cost'] as const),
  ...(['brand', 'gtin', 'mpn', 'sku', 'categories', 'condition', 'adult', 'labels', 'attributes'] as const),
]
const known = new Set<string>(fields)

type Raw = Readonly<Record<string, unknown>>

/**
 * Checks a row with the fields of an item, of which each can be absent, null or an empty text. Amounts are decimal
 * texts, `stock` is a number, `adult` a boolean, lists are arrays of texts, and the values of `attributes` are texts,
 * numbers or booleans. Says everything that is wrong, not only the first.
 */
export function checkItem(raw: Raw, { defaultCurrency }: { defaultCurrency: string | null }): CheckedItem {
  const found = noFindings()
  for (const field of Object.keys(raw))
    if (!known.has(field)) found.error(shortened(field), 'unknown_field', 'An item has no such field.')
  const itemId = idOf(raw, 'itemId', found) ?? ''
  if (isAbsent(raw.itemId)) found.error('itemId', 'missing_id', 'An item needs an id.')
  const item: Item = {
    ...{ itemId, productId: idOf(raw, 'productId', found) ?? itemId },
    title: textOf(raw, 'title', maxTitleLength, found) ?? '',
    description: textOf(raw, 'description', maxDescriptionLength, found),
    ...linksOf(raw, found),
    ...stockOf(raw, found),
    ...moneyOf(raw, defaultCurrency, found),
    brand: textOf(raw, 'brand', maxWordLength, found),
    gtin: textOf(raw, 'gtin', maxWordLength, found),
    mpn: textOf(raw, 'mpn', maxWordLength, found),
    sku: textOf(raw, 'sku', maxWordLength, found),
    categories: textsOf(raw, 'categories', { most: maxCategoryLevels, length: maxCategoryLength }, found),
    condition: oneOf(raw, 'condition', conditions, found),
    adult: flagOf(raw, 'adult', found),
    labels: [...new Set(textsOf(raw, 'labels', { most: maxLabels, length: maxWordLength }, found))],
    attributes: attributesOf(raw, found),
  }
  if (isAbsent(raw.title)) found.error('title', 'missing_title', 'An item needs a title.')
  return found.errors.length > 0 ? { errors: found.errors } : { item, warnings: found.warnings }
}

/** Equal items have equal hashes, whatever the order of their fields: 128 bits of a SHA-256, 22 characters. */
export function itemHash(item: Item): string {
  const values = fields.map((field) => (field === 'attributes' ? inOrder(Object.entries(item[field])) : item[field]))
  return createHash('sha256').update(JSON.stringify(values)).digest().subarray(0, 16).toString('base64url')
}

interface Findings {
  errors: Problem<ErrorCode>[]
  warnings: Problem<WarningCode>[]
  error(field: string, code: ErrorCode, message: string): void
  warn(field: string, code: WarningCode, message: string): void
}

function noFindings(): Findings {
  const [errors, warnings]: [Problem<ErrorCode>[], Problem<WarningCode>[]] = [[], []]
  return {
    ...{ errors, warnings },
    error: (field, code, message) => void errors.push({ field, code, message }),
    warn: (field, code, message) => void warnings.push({ field, code, message }),
  }
}

function idOf(raw: Raw, field: 'itemId' | 'productId', found: Findings): string | null {
  const value = raw[field]
  if (isAbsent(value)) return null
  const fault = typeof value === 'string' ? idFault(value.trim()) : 'An id must be a text.'
  if (fault === undefined) return (value as string).trim()
  found.error(field, 'bad_id', fault)
  return null
}

/** What is wrong with the id of an item or a product, without the spaces around it; undefined if nothing is. */
export function idFault(id: string): string | undefined {
  if (id === '' || id.length > maxIdLength) return `An id must have 1 to ${maxIdLength} characters.`
  if (/\p{Cc}/u.test(id) || !id.isWellFormed()) return 'An id must not contain line breaks or control characters.'
  // Browsers and proxies take these out of an address.
  return id === '.' || id === '..' ? 'An id must not be a dot or two dots.' : undefined
}

function linksOf(raw: Raw, found: Findings): Pick<Item, 'link' | 'imageLink' | 'additionalImageLinks'> {
  if (isAbsent(raw.link)) found.error('link', 'bad_url', 'An item needs a link.')
  const images = textsOf(raw, 'additionalImageLinks', { most: maxImages, length: maxLinkLength }, found)
  const good = images.filter(isWebAddress)
  if (good.length < images.length)
    found.warn('additionalImageLinks', 'left_out', 'Images without an http or https URL are left out.')
  return {
    link: linkOf(raw, 'link', found) ?? '',
    imageLink: linkOf(raw, 'imageLink', found),
    additionalImageLinks: [...new Set(good)],
  }
}

function linkOf(raw: Raw, field: 'link' | 'imageLink', found: Findings): string | null {
  const text = textOf(raw, field, maxLinkLength, found)
  if (text === null || isWebAddress(text)) return text
  found.error(field, 'bad_url', 'Must be an http or https URL.')
  return null
}

const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^/\\]/i.test(text) && !/\p{Cc}/u.test(text) && URL.canParse(text)

function stockOf(raw: Raw, found: Findings): Pick<Item, 'availability' | 'stock'> {
  const availability = oneOf(raw, 'availability', availabilities, found) ?? 'IN_STOCK'
  const { stock } = raw
  if (isAbsent(stock)) return { availability, stock: null }
  if (!Number.isInteger(stock) || Math.abs(stock as number) > maxStock) {
    found.error('stock', 'bad_value', `Must be a whole number up to ${maxStock}.`)
    return { availability, stock: null }
  }
  if ((stock as number) < 0) found.warn('stock', 'replaced', 'A stock below 0 counts as 0.')
  return { availability, stock: Math.max(stock as number, 0) }
}

type Money = Pick<Item, 'price' | 'salePrice' | 'saleFrom' | 'saleUntil' | 'currency' | 'cost'>

function moneyOf(raw: Raw, defaultCurrency: string | null, found: Findings): Money {
  if (isAbsent(raw.price)) found.error('price', 'bad_price', 'An item needs a price.')
  const price = amountOf(raw, 'price', found)
  return {
    price: price ?? 0,
    salePrice: amountOf(raw, 'salePrice', found),
    saleFrom: timeOf(raw, 'saleFrom', found),
    saleUntil: timeOf(raw, 'saleUntil', found),
    currency: currencyOf(raw, defaultCurrency, found, price !== null),
    cost: amountOf(raw, 'cost', found),
  }
}

function amountOf(raw: Raw, field: 'price' | 'salePrice' | 'cost', found: Findings): Amount | null {
  const value = raw[field]
  if (isAbsent(value)) return null
  const parsed = typeof value === 'string' ? parseAmount(value.trim()) : undefined
  if (!parsed) {
    const how = typeof value === 'string' ? howToWrite(value, { currency: null }) : null
    found.error(field, 'bad_price', how ?? 'Must be a decimal text such as "19.99", from 0 to 99999999999.9999.')
    return null
  }
  if (parsed.isRounded) found.warn(field, 'rounded', 'Rounded to four decimals.')
  return parsed.amount
}

/** A feed has the currency with the price. If the price cannot be read, that is the one mistake. */
function currencyOf(raw: Raw, defaultCurrency: string | null, found: Findings, hasPrice: boolean): string {
  const value = isAbsent(raw.currency) ? defaultCurrency : raw.currency
  if (value === null && !hasPrice) return ''
  if (value === null) found.error('currency', 'unknown_currency', 'The price needs a currency: there is no default.')
  else if (typeof value !== 'string' || !isCurrency(value.trim().toUpperCase()))
    found.error('currency', 'unknown_currency', 'Must be a currency code of ISO 4217, such as EUR.')
  else return value.trim().toUpperCase()
  return ''
}

const time = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Years have four digits, in answers and in the database. "Without an end" is often the last moment of a time zone. */
const firstTime = Date.parse('0001-01-01T00:00:00.000Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

/** A date alone is its beginning, and a time without an offset is in UTC. */
function timeOf(raw: Raw, field: 'saleFrom' | 'saleUntil', found: Findings): string | null {
  const value = raw[field]
  if (isAbsent(value)) return null
  const text = typeof value === 'string' ? value.trim() : ''
  const [date, clock] = text.split(/[T ]/)
  const zoned = clock === undefined ? `${date}T00:00Z` : `${date}T${/[Z+-]/.test(clock) ? clock : `${clock}Z`}`
  const parsed = new Date(zoned.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  if (time.test(text) && isDay(date!) && !Number.isNaN(parsed.getTime())) {
    const shown = new Date(Math.min(Math.max(parsed.getTime(), firstTime), lastTime))
    if (shown.getTime() !== parsed.getTime()) found.warn(field, 'replaced', `Counts as ${shown.toISOString()}.`)
    return shown.toISOString()
  }
  found.error(field, 'bad_value', 'Must be a date or a time of ISO 8601, such as 2026-11-27T00:00:00+01:00.')
  return null
}

/** The 30th of February is the 2nd of March for the runtime. */
function isDay(date: string): boolean {
  const parsed = new Date(`${date}T00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}

function textOf(raw: Raw, field: string, length: number, found: Findings): string | null {
  const value = raw[field]
  if (isAbsent(value)) return null
  if (typeof value === 'string') return cut(value, length, field, found) || null
  found.error(field, 'bad_value', 'Must be a text.')
  return null
}

function textsOf(raw: Raw, field: string, max: { most: number; length: number }, found: Findings): string[] {
  const value = raw[field]
  if (isAbsent(value)) return []
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) {
    found.error(field, 'bad_value', 'Must be a list of texts.')
    return []
  }
  const texts = value.filter((one) => !isAbsent(one))
  if (texts.length > max.most) found.warn(field, 'cut', `Only the first ${max.most} of ${texts.length} are kept.`)
  return texts.slice(0, max.most).flatMap((one) => cut(one, max.length, field, found) || [])
}

function oneOf<Value extends string>(raw: Raw, field: string, values: readonly Value[], found: Findings): Value | null {
  const value = raw[field]
  if (isAbsent(value)) return null
  const good = values.find((one) => one === value)
  if (good === undefined) found.error(field, 'bad_value', `Must be one of ${values.join(', ')}.`)
  return good ?? null
}

function flagOf(raw: Raw, field: 'adult', found: Findings): boolean {
  const value = raw[field]
  if (!isAbsent(value) && typeof value !== 'boolean') found.error(field, 'bad_value', 'Must be true or false.')
  return value === true
}

function attributesOf(raw: Raw, found: Findings): Record<string, string> {
  const value = raw.attributes
  if (isAbsent(value)) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    found.error('attributes', 'bad_value', 'Must be an object.')
    return {}
  }
  const given = Object.entries(value as object).filter(([, one]) => !isAbsent(one))
  if (given.length > maxAttributes)
    found.warn('attributes', 'cut', `Only the first ${maxAttributes} of ${given.length} are kept.`)
  const kept = given.slice(0, maxAttributes).flatMap(([name, one]): [string, string][] => {
    const field = `attributes.${shortened(name)}`
    if (!['string', 'number', 'boolean'].includes(typeof one)) {
      found.error(field, 'bad_value', 'Must be a text.')
      return []
    }
    const key = cut(name, maxWordLength, field, found)
    const text = cut(String(one), maxAttributeLength, field, found)
    return key === '' || text === '' ? [] : [[key, text]]
  })
  return Object.fromEntries(inOrder(kept))
}

const inOrder = (entries: [string, string][]): [string, string][] =>
  entries.sort(([one], [other]) => (one < other ? -1 : 1))

function cut(text: string, length: number, field: string, found: Findings): string {
  // Databases refuse NUL and halves of characters.
  const clean = text.replaceAll('\0', '').toWellFormed().trim()
  if (clean.length <= length) return clean
  found.warn(field, 'cut', `Cut to ${length} characters.`)
  const endsInside = /[\ud800-\udbff]/.test(clean.charAt(length - 1))
  return clean.slice(0, endsInside ? length - 1 : length).trimEnd()
}

const isAbsent = (value: unknown): value is null | undefined | '' =>
  value === undefined || value === null || (typeof value === 'string' && value.replaceAll('\0', '').trim() === '')

const shortened = (name: string): string => (name.length > maxWordLength ? `${name.slice(0, maxWordLength)}…` : name)
