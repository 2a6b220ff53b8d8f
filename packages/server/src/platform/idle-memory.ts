/** The share of a thread's time since the last check. A node without requests uses less for its timers. */
const idleShare = 0.05
/** Freeing less is not worth a pause of 80 ms. */
const grownBytes = 32 * 1024 * 1024

/** In bytes. */
export interface HeldMemory {
  /** The memory that V8 has reserved for the objects of this thread. */
  heap: number
  /** The memory of the process. It includes buffers, and pages that V8 keeps for reuse and counts in no heap. */
  process: number
}

export interface IdleState {
  /** The share of the time that the event loop was busy, 0 to 1. */
  utilization: number
  now: HeldMemory
  afterLast: HeldMemory
}

/** @returns whether the thread is idle and its heap or the process has grown since the last collection */
export const isWorthCollecting = ({ utilization, now, afterLast }: IdleState): boolean =>
  utilization < idleShare && (now.heap - afterLast.heap >= grownBytes || now.process - afterLast.process >= grownBytes)
