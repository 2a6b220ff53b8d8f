import { inThread } from '../../../feeds/index.ts'
import type { PackedOrders, PackingOf } from '../packed.ts'

const program = new URL('./worker.ts', import.meta.url)

/** Reads a file of orders in a thread of its own. */
export const packInThread = (of: PackingOf, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) =>
  inThread<PackedOrders>(program, of, bytes, signal)
