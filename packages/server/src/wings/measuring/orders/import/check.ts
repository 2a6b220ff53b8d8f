import {
  type Amount,
  amountLimit,
  doubtAbout,
  howToWrite,
  isCurrency,
  maxItemIdLength,
  parseAmount,
  pointed,
  printAmount,
} from '../../../model/catalog/index.ts'
import { isUnit, maxOrderIdLength, maxOrderItems, maxQuantity } from '../../events/index.ts'

export const importedStatuses = ['PLACED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED'] as const
export type OrderStatus = (typeof importedStatuses)[number]

/** A line of an imported order. Amounts are in the currency of the order, and of one piece. */
export interface ImportedItem {
  itemId: string
  quantity: number
  refundedQuantity: number
  price: Amount
  /** Null: the file does not say it. */
  cost: Amount | null
}

/** An order as a shop's file has it. */
export interface ImportedOrder {
  orderId: string
  placedAt: Date
  /** Null: the file does not name the visitor. */
  unit: string | null
  currency: string
  total: Amount
  tax: Amount
  shipping: Amount
  discount: Amount
  refunded: Amount
  status: OrderStatus
  items: ImportedItem[]
}

export type OrderCode =
  | 'missing_id'
  | 'bad_time'
  /** The only problem that time mends. */
  | 'in_future'
  | 'bad_unit'
  | 'unknown_currency'
  | 'bad_amount'
  | 'bad_status'
  | 'bad_item'

/** Fields of an order, or of one of its lines, as a file has them: texts, numbers or nothing. */
export type RawFields = Readonly<Record<string, unknown>>

export interface OrderProblem {
  code: OrderCode
  message: string
  /** When it is none any more; absent: never. */
  until?: Date
}

export interface CheckContext {
  defaultCurrency: string | null
  now: Date
}

const firstTime = Date.UTC(2000, 0, 1)
const dayMs = 86_400_000

/** Checks an order of a file, and says everything that is wrong with it. */
export function checkOrder(
  raw: RawFields,
  items: readonly RawFields[],
  { defaultCurrency, now }: CheckContext,
): { order: ImportedOrder } | { problems: OrderProblem[] } {
  const problems: OrderProblem[] = []
  const wrong: Wrong = (code, message, until) => void problems.push({ code, message, ...(until && { until }) })
  const orderId = textOf(raw.orderId)
  if (orderId === null || !isUnit(orderId) || orderId.length > maxOrderIdLength)
    wrong('missing_id', `orderId must be a text of 1 to ${maxOrderIdLength} characters without NUL.`)
  const placedAt = timeOf(raw.placedAt)
  if (placedAt === null) wrong('bad_time', 'placedAt must be a time of ISO 8601 since 2000 and not in the future.')
  else if (placedAt.getTime() > now.getTime() + dayMs) tellFuture(placedAt, wrong)
  const unit = textOf(raw.unit)
  if (unit !== null && !isUnit(unit))
    wrong('bad_unit', 'unit must be the id of a visitor: 1 to 512 characters without NUL.')
  const currency = textOf(raw.currency)?.toUpperCase() ?? defaultCurrency
  if (currency === null || !isCurrency(currency))
    wrong('unknown_currency', 'currency must be a currency code of ISO 4217, such as EUR.')
  const money = moneyOf(raw, currency, wrong)
  const status = statusOf(raw.status, money, wrong)
  const lines = linesOf(items, { currency, most: money.total + money.discount }, wrong)
  if (problems.length > 0) return { problems }
  const refunded = status === 'REFUNDED' && money.refunded === null ? money.total : (money.refunded ?? 0)
  return {
    order: {
      ...{ orderId: orderId!, placedAt: placedAt!, unit, currency: currency! },
      ...money,
      ...{ refunded, status: status!, items: lines },
    },
  }
}

type Wrong = (code: OrderCode, message: string, until?: Date) => void
type Money = Record<'total' | 'tax' | 'shipping' | 'discount', Amount> & { refunded: Amount | null }

function moneyOf(raw: RawFields, currency: string | null, wrong: Wrong): Money {
  const read = (name: string, most?: Amount) => amountOf(raw[name], name, { currency, most }, wrong)
  const known = read('total')
  const hasTotal = known !== undefined
  const total = known ?? 0
  const part = (name: string, most?: Amount) => (isAbsent(raw[name]) ? null : (read(name, most) ?? 0))
  const money = {
    ...{ total, tax: part('tax', known) ?? 0, shipping: part('shipping', known) ?? 0 },
    ...{ discount: part('discount') ?? 0, refunded: part('refundedAmount', known) },
  }
  for (const [name, amount] of [
    ['tax', money.tax],
    ['shipping', money.shipping],
    ['refundedAmount', money.refunded ?? 0],
  ] as const)
    if (hasTotal && amount > total)
      wrong('bad_amount', `${name} must be at most the total, which is ${printAmount(total)}.`)
  return money
}

/** Without a status, the refund decides. A status that does not fit the refund is a mistake that moves money. */
function statusOf(told: unknown, { total, refunded }: Money, wrong: Wrong): OrderStatus | null {
  const text = textOf(told)
  if (text === null) {
    if (!refunded) return 'PLACED'
    return refunded >= total ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  }
  const said = text
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
    .replace(/^CANCELED$/, 'CANCELLED')
  const status = importedStatuses.find((each) => each === said)
  if (!status) wrong('bad_status', `status must be one of ${importedStatuses.join(', ')}.`)
  else if (status === 'PLACED' && refunded)
    wrong('bad_status', 'status must not be PLACED, because something was refunded. Leave it out.')
  else if (status === 'PARTIALLY_REFUNDED' && !refunded)
    wrong('bad_status', 'The status PARTIALLY_REFUNDED needs the refundedAmount.')
  else if (status === 'REFUNDED' && refunded === 0 && total > 0)
    wrong('bad_status', 'The status REFUNDED does not fit a refundedAmount of 0. Leave that empty if all was refunded.')
  else return status
  return null
}

/** A piece costs at most what is paid for the order, without its discount. */
function linesOf(items: readonly RawFields[], of: AmountOf, wrong: Wrong): ImportedItem[] {
  if (items.length === 0 || items.length > maxOrderItems)
    wrong('bad_item', `An order must have 1 to ${maxOrderItems} items.`)
  const lines: ImportedItem[] = []
  for (const [place, item] of items.slice(0, maxOrderItems).entries()) {
    const where = `items[${place}]`
    const itemId = textOf(item.itemId)
    if (itemId === null || !isUnit(itemId) || itemId.length > maxItemIdLength)
      wrong('bad_item', `${where}.itemId must be a text of 1 to ${maxItemIdLength} characters without NUL.`)
    const quantity = wholeOf(item.quantity)
    if (quantity === null || quantity < 1 || quantity > maxQuantity)
      wrong('bad_item', `${where}.quantity must be a whole number from 1 to ${maxQuantity}.`)
    const refundedQuantity = isAbsent(item.refundedQuantity) ? 0 : wholeOf(item.refundedQuantity)
    if (refundedQuantity === null || refundedQuantity > (quantity ?? maxQuantity))
      wrong('bad_item', `${where}.refundedQuantity must be a whole number from 0 to the quantity.`)
    const price = amountOf(item.price, `${where}.price`, of, wrong)
    const cost = isAbsent(item.cost) ? null : amountOf(item.cost, `${where}.cost`, of, wrong)
    lines.push({
      ...{ itemId: itemId ?? '', quantity: quantity ?? 0, refundedQuantity: refundedQuantity ?? 0 },
      ...{ price: price ?? 0, cost: cost ?? null },
    })
  }
  return lines
}

const amountText = `Must be an amount from 0 to below ${printAmount(amountLimit)} with at most 4 decimals, such as 19.99.`

export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  // What is no text is refused as one that cannot be stored.
  return isAbsent(value) ? null : '\0'
}

type AmountOf = Parameters<typeof doubtAbout>[1]

/** A number of JSON is clear. */
function amountOf(value: unknown, name: string, of: AmountOf, wrong: Wrong): Amount | undefined {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  const doubt = typeof value === 'string' ? doubtAbout(text, of) : null
  const parsed = doubt === null ? parseAmount(pointed(text)) : undefined
  if (parsed && !parsed.isRounded) return parsed.amount
  const fault = doubt ?? (typeof value === 'string' ? howToWrite(text, of) : null) ?? amountText
  wrong('bad_amount', `${name} ${fault.charAt(0).toLowerCase()}${fault.slice(1)}`)
  return undefined
}

function wholeOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*\d{1,9}(?:\.0+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/i

/** A time without an offset is one of UTC. */
function timeOf(value: unknown): Date | null {
  const [, day, clock, offset = 'Z'] = typeof value === 'string' ? (time.exec(value.trim()) ?? []) : []
  if (day === undefined) return null
  const at = new Date(`${day}T${clock}${offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`)
  // 2026-02-30 would become another day.
  if (Number.isNaN(at.getTime()) || new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day) return null
  return at.getTime() >= firstTime ? at : null
}

/** A shop’s clock and time zone can be wrong by hours. What is later is no order yet, or a mistake of the file. */
function tellFuture(placedAt: Date, wrong: Wrong): void {
  const from = new Date(placedAt.getTime() - dayMs)
  const message = `placedAt is more than a day in the future. Correct it, or import the file once more from ${from.toISOString()} on: it is then read again, also if it has not changed.`
  wrong('in_future', message, from)
}
