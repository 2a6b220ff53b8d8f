// Carts and orders, in memory: they are gone when the shop ends.
import { productsById } from './catalog.js'
import { makeOrder } from './orders.js'
import { forSale } from './stock-list.js'

const mostPieces = 9
const mostLines = 20
const mostCarts = 1_000
const mostOrders = 20_000

export function openTills() {
  const carts = new Map()
  const orders = new Map()
  /** Lines that can be bought, of `{ itemId, quantity }`. */
  const linesOf = (wanted) =>
    wanted
      .slice(0, mostLines)
      .map(({ itemId, quantity }) => ({ product: forSale(productsById.get(itemId)), quantity: Number(quantity) }))
      .filter(({ product, quantity }) => product?.isInStock && Number.isInteger(quantity) && quantity > 0)
      .map(({ product, quantity }) => ({ product, quantity: Math.min(quantity, mostPieces) }))
  const cartOf = (unit) => linesOf([...(carts.get(unit) ?? [])].map(([itemId, quantity]) => ({ itemId, quantity })))

  return {
    cartOf,
    add(unit, itemId) {
      if (linesOf([{ itemId, quantity: 1 }]).length === 0) return
      const cart = carts.get(unit) ?? new Map()
      if (cart.has(itemId) || cart.size < mostLines) cart.set(itemId, (cart.get(itemId) ?? 0) + 1)
      carts.set(unit, cart)
      if (carts.size > mostCarts) carts.delete(carts.keys().next().value)
    },
    /** Answers the order, or undefined if nothing in it can be bought. */
    place(unit, wanted) {
      const lines = linesOf(wanted)
      if (lines.length === 0 || orders.size >= mostOrders) return undefined
      const orderId = String(1001 + orders.size)
      const order = makeOrder({ orderId, unit, placedAt: new Date().toISOString(), lines })
      orders.set(orderId, order)
      return order
    },
    /** What is in the cart becomes an order, and the cart is empty. */
    checkOut(unit) {
      const cart = cartOf(unit).map(({ product, quantity }) => ({ itemId: product.id, quantity }))
      carts.delete(unit)
      return this.place(unit, cart)
    },
    /** The pieces of an item, or of all items, come back and are refunded. Answers the order, if there is one. */
    refund(orderId, itemId) {
      const order = orders.get(orderId)
      for (const line of order?.lines ?? [])
        if (itemId === undefined || line.itemId === itemId) line.refundedQuantity = line.quantity
      return order
    },
    find: (orderId) => orders.get(orderId),
    orders: () => [...orders.values()],
  }
}
