import { doubtAbout, type Problem, parseAmount, pointed } from '../../model/catalog/index.ts'
import { type Column, columnOf, type ItemField, spelled } from './columns.ts'
import type { FeedFormat } from './format.ts'
import { mapShopify } from './map-shopify.ts'
import { addField, hasSeveral, noFields } from './row.ts'

/** Our field → the name of a column. It replaces the columns that are known for the field. */
export type Mapping = Partial<Record<ItemField, string>>

/** A row in the fields that `checkItem` reads. */
export interface MappedRow {
  raw: Record<string, unknown>
  /** What was found on the way, besides what `checkItem` says. */
  errors: Problem<'bad_price'>[]
  warnings: Problem<'replaced' | 'left_out'>[]
  /** `deleted`: the item goes. `not_eligible`: the shop does not want it to be found, and it is skipped. */
  verdict: 'item' | 'deleted' | 'not_eligible'
}

/** How the rows of a file are read. */
export interface Reading {
  format: FeedFormat
  mapping: Mapping
  defaultCurrency: string | null
  /** That of the feed, for links of Shopify. */
  origin: string | null
}

/** Gives the fields of a row our names and types. */
export function mapRow(
  fields: Readonly<Record<string, unknown>>,
  { format, mapping, defaultCurrency, origin }: Reading,
): MappedRow {
  if (format === 'SHOPIFY_JSON') return { ...nothing(), raw: mapShopify(fields, origin) }
  const given = sorted(fields, mapping)
  const mapped: MappedRow = nothing()
  for (const [field, value] of given.fields) {
    mapped.raw[field] = (readers[field] ?? first)(value)
    if (hasSeveral(value) && !lists.includes(field))
      mapped.warnings.push({ field, code: 'left_out', message: 'Has several values, of which only the first counts.' })
  }
  setLabels(mapped.raw, given)
  setSaleDates(mapped.raw, given.fields.get('saleDates'))
  tellDoubts(mapped, given, setMoney(mapped, given) ?? defaultCurrency)
  setAvailability(mapped, given.fields.get('availability'))
  mapped.raw.attributes = given.attributes
  for (const field of notOfItems) delete mapped.raw[field]
  if (flag(given.fields.get('deleted')) === true) mapped.verdict = 'deleted'
  else if (flag(given.fields.get('isEligible')) === false) mapped.verdict = 'not_eligible'
  return mapped
}

const nothing = (): MappedRow => ({ raw: {}, errors: [], warnings: [], verdict: 'item' })
/** Columns that can come several times. */
const lists: readonly Column[] = ['additionalImageLinks', 'categories', 'labels', 'customLabel', 'attributes']
const notOfItems = ['saleDates', 'customLabel', 'deleted', 'isEligible'] as const

interface Sorted {
  fields: Map<Column, unknown>
  labels: unknown[]
  attributes: Record<string, unknown>
}

/** Values by what their columns are. */
function sorted(fields: Readonly<Record<string, unknown>>, mapping: Mapping): Sorted {
  const theirs = new Map<string, ItemField[]>()
  for (const [field, name] of Object.entries(mapping) as [ItemField, string][])
    theirs.set(spelled(name), [...(theirs.get(spelled(name)) ?? []), field])
  const found: Sorted = { fields: new Map(), labels: [], attributes: noFields() }
  for (const [name, value] of Object.entries(fields)) {
    if (isAbsent(value)) continue
    const key = spelled(name)
    const mapped = theirs.get(key)
    for (const field of mapped ?? []) found.fields.set(field, value)
    const column = columnOf(key)
    if (column === 'attributes' && isRecord(value)) Object.assign(found.attributes, attributesOf(value))
    else if (column === 'customLabel') found.labels.push(value)
    else if (column === 'dropped' || (column !== undefined && column in mapping)) continue
    else if (column !== undefined && column !== 'attributes') {
      if (!found.fields.has(column)) found.fields.set(column, value)
    } else if (!mapped) addField(found.attributes, name.replace(/^\s*g:/i, '').trim(), value)
  }
  found.attributes = attributesOf(found.attributes)
  return found
}

const attributesOf = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, attributeOf(value)]))

/** Attributes are words: a list is joined, and a thing with parts stays JSON. */
function attributeOf(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** A whole number that a double cannot hold stays a number, and is refused: as an id, it would be a different one. */
const text = (value: unknown): unknown => {
  const one = first(value)
  return typeof one === 'number' && (Number.isSafeInteger(one) || !Number.isInteger(one)) ? String(one) : one
}

/** `yes`, `true`, `1` and their opposites, in any case. */
function flag(value: unknown): unknown {
  const one = text(value)
  if (typeof one !== 'string') return one
  const said = one.trim().toLowerCase()
  if (['true', 'yes', '1', 'y'].includes(said)) return true
  return ['false', 'no', '0', 'n'].includes(said) ? false : one
}

function whole(value: unknown): unknown {
  const one = first(value)
  return typeof one === 'string' && /^\s*[+-]?\d+(?:\.0+)?\s*$/.test(one) ? Number(one) : one
}

const upper = (value: unknown): unknown => {
  const one = first(value)
  return typeof one === 'string'
    ? one
        .trim()
        .toUpperCase()
        .replace(/[\s-]+/g, '_')
    : one
}

/** A path of categories. Of several paths, the first counts. */
function categories(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 1 && value.some((one) => typeof one === 'string' && one.includes(' > ')))
    return path(value[0])
  return Array.isArray(value) && value.length !== 1 ? value : path(first(value))
}

/** The spaces around a divider are looked at one by one: `\s+>` would take hours for a row of spaces. */
const path = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(/(?<=\s)>(?=\s)/).map((level) => level.trim()) : value

function words(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(text)
  return typeof value === 'string' ? value.split(',').filter((word) => word.trim() !== '') : value
}

/** An address can contain a comma, so only one before an address divides. */
const addresses = (value: unknown): unknown => {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((one) =>
    typeof one === 'string' ? one.split(/,(?=\s*https?:)/i).map((each) => each.trim()) : [one],
  )
}

const readers: Partial<Record<Column, (value: unknown) => unknown>> = {
  itemId: text,
  productId: text,
  title: text,
  description: text,
  brand: text,
  gtin: text,
  mpn: text,
  sku: text,
  stock: whole,
  condition: upper,
  adult: flag,
  categories,
  additionalImageLinks: addresses,
  labels: words,
}

function setLabels(raw: Record<string, unknown>, { labels }: Sorted): void {
  if (labels.length > 0)
    raw.labels = [...(Array.isArray(raw.labels) ? (raw.labels as unknown[]) : []), ...labels.map(text)]
}

/** `2026-11-27T00:00+0100/2026-12-01T00:00+0100`; what has a field of its own counts more. */
function setSaleDates(raw: Record<string, unknown>, dates: unknown): void {
  const range = text(dates)
  if (typeof range !== 'string') return
  const [from = '', until = ''] = range.split('/')
  raw.saleFrom ??= from.trim()
  raw.saleUntil ??= until.trim()
}

const otherCurrency = 'Has another currency than the price.'

const amounts = ['price', 'salePrice', 'cost'] as const

/** Amounts can have their currency with them. Those of an item have one, which is returned. */
function setMoney({ raw, errors }: MappedRow, { fields }: Sorted): string | null {
  let currency = text(fields.get('currency'))
  for (const field of amounts) {
    const value = fields.get(field)
    if (value === undefined) continue
    const money = moneyOf(text(value))
    raw[field] = money.amount
    if (money.currency === null) continue
    if (currency === undefined) currency = money.currency
    else if (typeof currency !== 'string' || currency.trim().toUpperCase() !== money.currency)
      errors.push({ field, code: 'bad_price', message: otherCurrency })
  }
  if (currency !== undefined) raw.currency = currency
  return typeof currency === 'string' ? currency.trim().toUpperCase() : null
}

/** A number of JSON is clear. Nothing of an item is dearer than its price, so most of its other amounts are clear, too. */
function tellDoubts({ raw, errors }: MappedRow, { fields }: Sorted, currency: string | null): void {
  const price = typeof raw.price === 'string' ? parseAmount(raw.price)?.amount : undefined
  for (const field of amounts) {
    const amount = raw[field]
    if (typeof amount !== 'string' || typeof first(fields.get(field)) !== 'string') continue
    const doubt = doubtAbout(amount, { currency, ...(field !== 'price' && { most: price }) })
    if (doubt === null) continue
    errors.push({ field, code: 'bad_price', message: doubt })
    // It has this one mistake.
    raw[field] = amount.replace(',', '.')
  }
}

/** `15.00 USD`, `USD 15.00`, `15,00`, `1,299.00`, `1.299,00`. */
function moneyOf(value: unknown): { amount: unknown; currency: string | null } {
  if (typeof value !== 'string') return { amount: value, currency: null }
  const [, before, amount = '', after] = /^\s*(?:([A-Z]{3})\s*)?([\d.,]+)(?:\s*([A-Z]{3}))?\s*$/i.exec(value) ?? []
  if (amount === '' || (before && after)) return { amount: value, currency: null }
  return { amount: pointed(amount), currency: (before ?? after)?.toUpperCase() ?? null }
}

const availabilities: Record<string, string> = {
  INSTOCK: 'IN_STOCK',
  OUTOFSTOCK: 'OUT_OF_STOCK',
  PREORDER: 'PREORDER',
  BACKORDER: 'BACKORDER',
}

function setAvailability({ raw, warnings }: MappedRow, value: unknown): void {
  if (value === undefined) return
  const said = upper(value)
  const key = typeof said === 'string' ? said.replaceAll('_', '') : ''
  if (key === 'UNKNOWN') {
    warnings.push({
      field: 'availability',
      code: 'replaced',
      message: 'An unknown availability counts as OUT_OF_STOCK.',
    })
    raw.availability = 'OUT_OF_STOCK'
  } else raw.availability = Object.hasOwn(availabilities, key) ? availabilities[key] : said
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
