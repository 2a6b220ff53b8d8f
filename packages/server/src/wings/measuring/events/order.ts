import {
  type Amount,
  amountLimit,
  howToWrite,
  isCurrency,
  maxItemIdLength,
  parseAmount,
  printAmount,
} from '../../model/catalog/index.ts'
import { type Fault, fault } from './fault.ts'
import { idText, isText } from './text.ts'

/** One line of an order. */
export interface OrderItem {
  itemId: string
  quantity: number
  /** Of one piece. */
  price: Amount
}

/** An order as an SDK sends it. */
export interface NewOrder {
  type: 'order'
  envId: string
  unit: string
  /** When it was placed, in milliseconds since 1970. */
  at: number
  /** The id that the shop has given it. It counts once in its environment. */
  orderId: string
  currency: string
  total: Amount
  tax: Amount
  shipping: Amount
  discount: Amount
  items: OrderItem[]
}

export const maxOrderIdLength = 100
export const maxOrderItems = 200
export const maxQuantity = 1_000_000

type Told = Record<string, unknown>

/**
 * Reads the part of an event that is an order. Unknown fields are allowed, as in all events.
 *
 * @param where the name of the part, for messages
 */
export function readOrder(told: unknown, where: string): Omit<NewOrder, 'type' | 'envId' | 'unit' | 'at'> | Fault {
  if (!isObject(told)) return fault(`${where} must be an object with orderId, currency, total and items.`)
  const { currency, items } = told
  const orderId = idText(told.orderId)
  if (!isText(orderId, maxOrderIdLength)) return idFault(`${where}.orderId`, maxOrderIdLength)
  if (typeof currency !== 'string' || !isCurrency(currency))
    return fault(`${where}.currency must be a currency code of ISO 4217 in capital letters, such as EUR.`)
  const amounts = amountsIn(told, where)
  if ('code' in amounts) return amounts
  const { total, tax, shipping } = amounts
  for (const [name, part] of Object.entries({ tax, shipping }))
    if (part > total) return fault(`${where}.${name} must be at most ${where}.total, which is ${printAmount(total)}.`)
  if (!Array.isArray(items) || items.length === 0 || items.length > maxOrderItems)
    return fault(`${where}.items must be a list of 1 to ${maxOrderItems} items.`)
  const lines: OrderItem[] = []
  for (const [place, item] of items.entries()) {
    const line = itemIn(item, `${where}.items[${place}]`)
    if ('code' in line) return line
    lines.push(line)
  }
  return { orderId, currency, ...amounts, items: lines }
}

function amountsIn(told: Told, where: string): Pick<NewOrder, 'total' | 'tax' | 'shipping' | 'discount'> | Fault {
  const amounts = { total: 0, tax: 0, shipping: 0, discount: 0 }
  for (const name of ['total', 'tax', 'shipping', 'discount'] as const) {
    const value = name === 'total' ? told[name] : (told[name] ?? '0')
    const amount = amountOf(value)
    if (amount === undefined) return amountFault(`${where}.${name}`, value)
    amounts[name] = amount
  }
  return amounts
}

function itemIn(told: unknown, where: string): OrderItem | Fault {
  if (!isObject(told)) return fault(`${where} must be an object with itemId, quantity and price.`)
  const { quantity } = told
  const itemId = idText(told.itemId)
  if (!isText(itemId, maxItemIdLength)) return idFault(`${where}.itemId`, maxItemIdLength)
  if (!Number.isInteger(quantity) || (quantity as number) < 1 || (quantity as number) > maxQuantity)
    return fault(`${where}.quantity must be a whole number from 1 to ${maxQuantity}.`)
  const price = amountOf(told.price)
  return price === undefined
    ? amountFault(`${where}.price`, told.price)
    : { itemId, quantity: quantity as number, price }
}

/**
 * A decimal text, or a number that is one: JavaScript writes 59.92 as it was typed. What would be rounded is refused,
 * because 0.1 + 0.2 has 17 decimals and nobody meant them.
 */
function amountOf(value: unknown): Amount | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const parsed = parseAmount(String(value))
  return parsed && !parsed.isRounded ? parsed.amount : undefined
}

const idFault = (field: string, maxLength: number): Fault =>
  fault(`${field} must be a text of 1 to ${maxLength} characters, or a whole number of at most 15 digits.`)

function amountFault(field: string, value: unknown): Fault {
  const how = typeof value === 'string' ? howToWrite(value, { currency: null }) : null
  const range = `must be an amount from 0 to below ${printAmount(amountLimit)} with at most 4 decimals, such as "19.99".`
  return fault(`${field} ${how === null ? range : how.charAt(0).toLowerCase() + how.slice(1)}`)
}

const isObject = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value)
