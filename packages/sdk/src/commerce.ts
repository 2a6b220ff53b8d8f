import type { Client } from './client.ts'
import type { Context } from './details.ts'

/** One line of an order. */
export interface OrderItem {
  /** The id of the item in the shop's catalog: 1 to 100 characters. */
  itemId: string
  /** Pieces: a whole number from 1. */
  quantity: number
  /** Of one piece, in the currency of the order: a decimal text such as `'19.99'`, or a number with at most 4 decimals. */
  price: string | number
}

/** An order that a visitor has placed. Amounts are decimal texts such as `'59.92'`, or numbers with at most 4 decimals. */
export interface Order {
  /** The id that the shop has given it: 1 to 100 characters. It counts once in its environment. */
  orderId: string
  /** A code of ISO 4217 in capital letters, such as `EUR`. */
  currency: string
  /** What the visitor pays, with taxes and shipping. */
  total: string | number
  /** The part of the total that is taxes. Default: 0. */
  tax?: string | number
  /** The part of the total that is shipping. Default: 0. */
  shipping?: string | number
  /** What was taken off; it is not in the total. Default: 0. */
  discount?: string | number
  /** 1 to 200 lines. */
  items: readonly OrderItem[]
}

/**
 * Reports an order. Metrics of A/B tests count it as revenue, margin and pieces. It is sent as `client.track` sends an
 * event, and the service counts an `orderId` once, however often it is sent. Never throws.
 *
 * @param client a client of `createClient`
 * @param placed the order
 * @param context the visitor, by `targetingKey`
 * @example
 * order(client, { orderId: '100234', currency: 'EUR', total: '59.92', tax: '9.57', shipping: '4.95',
 *   items: [{ itemId: 'SKU-17-M', quantity: 3, price: '19.99' }] }, { targetingKey: 'u-17' })
 */
export const order = (client: Pick<Client, 'track'>, placed: Order, context: Context): void =>
  client.track('order', { context, properties: { ...placed } })
