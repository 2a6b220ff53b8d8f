/** The share of a thread's time since the last check. A node without requests uses less for its timers. */
const idleShare = 0.05
/** Freeing less is not worth a pause of 40 ms. */
const grownBytes = 8 * 1024 * 1024

export interface HeapState {
  /** The share of the time that the event loop was busy, 0 to 1. */
  utilization: number
  /** In bytes, now and after the last collection. */
  heapUsed: number
  heapAfterLast: number
}

export const isWorthCollecting = ({ utilization, heapUsed, heapAfterLast }: HeapState): boolean =>
  utilization < idleShare && heapUsed - heapAfterLast >= grownBytes
