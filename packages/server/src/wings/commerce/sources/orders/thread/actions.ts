import { inThread } from '../../../feeds/index.ts'
import type { PackedOrders } from '../packed.ts'
import type { OrdersOf } from '../read-orders.ts'

const program = new URL('./worker.ts', import.meta.url)

/** Reads a file of orders in a thread of its own. */
export const packInThread = (of: OrdersOf, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) =>
  inThread<PackedOrders>(program, of, bytes, signal)
