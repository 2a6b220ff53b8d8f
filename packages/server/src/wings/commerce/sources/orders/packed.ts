import { deserialize, serialize } from 'node:v8'
import type { ImportedOrder } from '../../../measuring/orders/index.ts'
import type { FoundProblem } from '../sync/plan.ts'
import { type OrdersOf, readOrders } from './read-orders.ts'

/** Some orders of a file, as bytes that this version of Node reads again, and what is counted of them. */
export interface PackedOrders {
  rows: number
  taken: number
  /** When the first of those that are skipped today can be taken; null: none ever. */
  laterFrom: Date | null
  problems: FoundProblem[]
  /** Orders of earlier portions, or of this one, that do not count after all. */
  withdrawn: string[]
  orders: Uint8Array
}

/** Reads a file of orders as `readOrders` does. Nobody who only keeps the orders needs to look at them. */
export async function* packOrders(of: OrdersOf, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<PackedOrders> {
  for await (const { rows, orders, problems, withdrawn, laterFrom } of readOrders(of, bytes))
    yield { rows, taken: orders.length, laterFrom, problems, withdrawn, orders: serialize(orders) }
}

export const unpackedOrders = (orders: Uint8Array): ImportedOrder[] => deserialize(orders) as ImportedOrder[]
