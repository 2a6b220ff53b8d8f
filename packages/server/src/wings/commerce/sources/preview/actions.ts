import type { Db } from '../../../../platform/db/index.ts'
import type { ImportedOrder } from '../../../measuring/orders/index.ts'
import { type Amount, type Item, type ItemValues, printAmount } from '../../../model/catalog/index.ts'
import {
  type FeedBatch,
  FeedFault,
  type FeedFile,
  type FeedSource,
  type NamedValues,
  readFeed,
  readValues,
} from '../../feeds/index.ts'
import { FetchFailed } from '../fetching.ts'
import { readOrders } from '../orders/read-orders.ts'
import type { Source } from '../queries.ts'
import type { FoundProblem } from '../sync/plan.ts'
import { itemsOf } from '../sync/values/actions.ts'
import { type FoundItems, planValues } from '../sync/values/plan.ts'
import { noSums } from '../sync/writing/actions.ts'

export const previewedRows = 100

/** What a sync would make of the first rows of a file. */
export interface Preview {
  /** Of orders: orders, each with its lines. */
  rows: number
  /** Of PRODUCTS. */
  items: PreviewedItem[]
  /** Of a SUPPLEMENT. */
  values: PreviewedValues[]
  /** Of ORDERS. */
  orders: PreviewedOrder[]
  errors: FoundProblem[]
  /** Why the file could not be read any further; null if all is well. */
  fault: { message: string; line: number | null } | null
}

type Amounts = 'price' | 'salePrice' | 'cost'

export type PreviewedItem = Omit<Item, Amounts> & { line: number } & { [Field in Amounts]: string | null }

/** What a row says about items, which it names by their id, SKU or GTIN. */
export type PreviewedValues = Pick<NamedValues, 'line' | 'name' | 'key'> & {
  itemIds: string[]
  currency: string
  cost?: string | null
  stock?: number | null
  salePrice?: string | null
  labels?: string[]
}

type OrderAmounts = 'total' | 'tax' | 'shipping' | 'discount' | 'refunded'

export type PreviewedOrder = Omit<ImportedOrder, OrderAmounts | 'items' | 'placedAt'> & { placedAt: string } & {
  [Field in OrderAmounts]: string
} & {
  items: (Omit<ImportedOrder['items'][number], 'price' | 'cost'> & { price: string; cost: string | null })[]
}

/** Reads up to 100 rows of the file of a source of any type. */
export function previewOf(db: Db, source: Source, bytes: AsyncIterable<Uint8Array>, now: Date): Promise<Preview> {
  if (source.type === 'ORDERS') return withFaults(() => orderPreview(source, bytes, now))
  return source.type === 'SUPPLEMENT' ? withFaults(() => valuesPreview(db, source, bytes)) : itemPreview(source, bytes)
}

/** The same of products, of which the file alone decides. */
export const itemPreview = (
  source: FeedSource,
  bytes: AsyncIterable<Uint8Array>,
  file: FeedFile = {},
): Promise<Preview> =>
  withFaults(async () => {
    for await (const batch of readFeed(source, bytes, { ...file, rowsPerBatch: previewedRows })) return shown(batch)
    return nothing
  })

/** Whatever is wrong with the file is part of the answer. */
async function withFaults(read: () => Promise<Preview>): Promise<Preview> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FeedFault) return { ...nothing, fault: { message: error.message, line: error.line } }
    if (error instanceof FetchFailed) return { ...nothing, fault: { message: `${error.message}.`, line: null } }
    if (error instanceof Error && error.name === 'TimeoutError') return { ...nothing, fault: tookLong }
    throw error
  }
}

const nothing: Preview = { rows: 0, items: [], values: [], orders: [], errors: [], fault: null }
const tookLong = { message: 'The first rows of the file did not come in time.', line: null }
const byLine = (problems: readonly FoundProblem[]): FoundProblem[] =>
  problems.toSorted((one, other) => one.line - other.line)

function shown({ rows, items, problems }: FeedBatch): Preview {
  const seen = new Set<string>()
  const repeated: FoundProblem[] = []
  const first = items.filter(({ line, item: { itemId } }) => {
    if (!seen.has(itemId)) return seen.add(itemId)
    const message = 'An earlier row has this id.'
    repeated.push({ line, itemId, code: 'duplicate_id', message, isWarning: false })
    return false
  })
  return {
    ...nothing,
    rows,
    items: first.map(({ line, item }) => ({
      line,
      ...item,
      price: printAmount(item.price),
      salePrice: printed(item.salePrice),
      cost: printed(item.cost),
    })),
    errors: byLine([...problems, ...repeated]),
  }
}

const printed = (amount: Amount | null): string | null => (amount === null ? null : printAmount(amount))

async function valuesPreview(db: Db, source: Source, bytes: AsyncIterable<Uint8Array>): Promise<Preview> {
  const of = { source, fields: source.fields!, contentType: null }
  for await (const { rows, values, problems } of readValues(of, bytes, previewedRows)) {
    const sums = noSums()
    const found = await itemsOf(db, source.projectId, values, sums)
    const plan = planValues(values, found, new Map(), sums)
    const skipped = new Set(plan.problems.map(({ line }) => line))
    return {
      ...nothing,
      rows,
      values: values.filter(({ line }) => !skipped.has(line)).map((row) => shownValues(row, found)),
      errors: byLine([...problems, ...plan.problems]),
    }
  }
  return nothing
}

function shownValues({ line, name, key, values }: NamedValues, found: FoundItems): PreviewedValues {
  const items = found[name].get(key)!
  const { cost, salePrice, ...others }: ItemValues = values
  return {
    ...{ line, name, key, itemIds: items.map(({ itemId }) => itemId), currency: items[0]!.currency },
    ...others,
    ...(cost !== undefined && { cost: printed(cost) }),
    ...(salePrice !== undefined && { salePrice: printed(salePrice) }),
  }
}

async function orderPreview(source: Source, bytes: AsyncIterable<Uint8Array>, now: Date): Promise<Preview> {
  const of = { source, contentType: null, now }
  for await (const { rows, orders, problems, withdrawn } of readOrders(of, bytes, previewedRows)) {
    const counted = orders.filter(({ orderId }) => !withdrawn.includes(orderId))
    return { ...nothing, rows, orders: counted.map(shownOrder), errors: byLine(problems) }
  }
  return nothing
}

const shownOrder = ({ total, tax, shipping, discount, refunded, items, ...order }: ImportedOrder): PreviewedOrder => ({
  ...order,
  placedAt: order.placedAt.toISOString(),
  ...{ total: printAmount(total), tax: printAmount(tax), shipping: printAmount(shipping) },
  ...{ discount: printAmount(discount), refunded: printAmount(refunded) },
  items: items.map((item) => ({ ...item, price: printAmount(item.price), cost: printed(item.cost) })),
})
