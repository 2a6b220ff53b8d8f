// Orders of the shop: their amounts in cents, what was sent back, and the file that the shop hands over.
import { currency, decimal } from './catalog.js'

const shipping = 495
/** Prices include 21 % of taxes. */
const taxOf = (amount) => Math.round((amount * 21) / 121)

/** An order of these lines: `{ product, quantity }`. */
export function makeOrder({ orderId, unit, placedAt, lines }) {
  const total = lines.reduce((sum, { product, quantity }) => sum + product.price * quantity, 0) + shipping
  const kept = lines.map(({ product: { id, title, price, cost }, quantity }) => ({
    ...{ itemId: id, title, price, cost, quantity, refundedQuantity: 0 },
  }))
  return { orderId, unit, placedAt, total, tax: taxOf(total), shipping, lines: kept }
}

export const refundedOf = ({ lines }) =>
  lines.reduce((sum, { price, refundedQuantity }) => sum + price * refundedQuantity, 0)

/** What stays of an order without taxes, shipping and refunds, as docs/orders.md defines it. */
export const revenueOf = (order) =>
  Math.round(((order.total - order.shipping - refundedOf(order)) * (order.total - order.tax)) / order.total)

/** The order as the SDK sends it. */
export const forSdk = ({ orderId, total, tax, shipping, lines }) => ({
  ...{ orderId, currency, total: decimal(total), tax: decimal(tax), shipping: decimal(shipping) },
  items: lines.map(({ itemId, quantity, price }) => ({ itemId, quantity, price: decimal(price) })),
})

const columns =
  'order_id,placed_at,unit,currency,total,tax,shipping,item_id,quantity,price,cost,refunded_quantity,refunded_amount'

/** All orders with their refunds, a line for each item. */
export const csvOf = (orders) =>
  [columns, ...orders.flatMap((order) => order.lines.map((line) => rowOf(order, line)))].join('\n').concat('\n')

const rowOf = (order, { itemId, quantity, price, cost, refundedQuantity }) =>
  [
    ...[order.orderId, order.placedAt, order.unit, currency],
    ...[order.total, order.tax, order.shipping].map(decimal),
    ...[itemId, quantity, decimal(price), decimal(cost), refundedQuantity, decimal(refundedOf(order))],
  ].join(',')
