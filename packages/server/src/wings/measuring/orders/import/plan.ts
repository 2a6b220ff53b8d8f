import { parseAmount, printAmount } from '../../../model/catalog/index.ts'
import { costsOf, printedCost } from '../amounts.ts'
import type { ImportedItem, ImportedOrder, OrderStatus } from './check.ts'

/** What the catalog and the settings say now. They count for what an order does not have yet. */
export interface Knowledge {
  /** The product of an item, and its cost in the currency of the order as an amount. */
  item(itemId: string, currency: string): { productId: string | null; cost: number | null }
  reporting(currency: string): { currency: string; digits: number; rate: string } | null
}

export interface StoredLine {
  itemId: string
  productId: string | null
  quantity: number
  refundedQuantity: number
  price: string
  cost: string | null
}

/** An order as it is stored. Amounts are decimal texts with two to four decimals. */
export interface StoredContent {
  unit: string | null
  placedAt: string
  status: OrderStatus
  bySdk: boolean
  byImport: boolean
  currency: string
  total: string
  tax: string
  shipping: string
  discount: string
  refunded: string
  reportingCurrency: string | null
  digits: number | null
  rate: string | null
  items: StoredLine[]
}

/** The same with what follows from it. */
export interface PlannedContent extends StoredContent {
  pieces: number
  costs: string | null
}

/**
 * What an order is after an import. The import says money, lines and status. The visitor stays unless the import names
 * one, and so do the time of an order that an SDK has sent, its rate, and the product and cost of a line that was there:
 * they are those of when the order arrived.
 */
export function imported(order: ImportedOrder, before: StoredContent | null, known: Knowledge): PlannedContent {
  const { currency, status, unit, placedAt } = order
  const rate = ratedAs(currency, before, known)
  const items = order.items.map((line) => lineOf(line, currency, before, known))
  return {
    unit: unit ?? before?.unit ?? null,
    placedAt: before?.bySdk ? before.placedAt : placedAt.toISOString(),
    ...{ status, bySdk: before?.bySdk ?? false, byImport: true, currency },
    total: printAmount(order.total),
    tax: printAmount(order.tax),
    shipping: printAmount(order.shipping),
    discount: printAmount(order.discount),
    refunded: printAmount(order.refunded),
    ...rate,
    items: items.map(({ cost, ...line }) => ({ ...line, cost: printedCost(cost) })),
    pieces: items.reduce((sum, { quantity, refundedQuantity }) => sum + quantity - refundedQuantity, 0),
    costs: costsOf(
      items.map(({ quantity, refundedQuantity, cost }) => ({ quantity: quantity - refundedQuantity, cost })),
    ),
  }
}

function ratedAs(currency: string, before: StoredContent | null, { reporting }: Knowledge) {
  const { reportingCurrency = null, digits = null, rate = null } = before?.currency === currency ? before : {}
  if (rate !== null) return { reportingCurrency, digits, rate }
  const now = reporting(currency)
  return { reportingCurrency: now?.currency ?? null, digits: now?.digits ?? null, rate: now?.rate ?? null }
}

function lineOf(line: ImportedItem, currency: string, before: StoredContent | null, { item }: Knowledge) {
  const { itemId, quantity, refundedQuantity } = line
  const was = before?.currency === currency ? before.items.find((each) => each.itemId === itemId) : undefined
  const now = was ?? item(itemId, currency)
  const stamped = typeof now.cost === 'string' ? parseAmount(now.cost)!.amount : now.cost
  const { productId } = before?.items.find((each) => each.itemId === itemId) ?? now
  return { itemId, productId, quantity, refundedQuantity, price: printAmount(line.price), cost: line.cost ?? stamped }
}

/** Whether an import changes nothing. */
export const isSame = (before: StoredContent, { pieces: _, costs: _costs, ...after }: PlannedContent): boolean =>
  contentOf(before) === contentOf(after)

const contentOf = ({ items, ...order }: StoredContent): string =>
  JSON.stringify([
    ...Object.entries(order).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ...items.map(({ itemId, productId, quantity, refundedQuantity, price, cost }) => [
      ...[itemId, productId, quantity, refundedQuantity, price, cost],
    ]),
  ])
