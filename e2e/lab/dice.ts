/** Random decisions from a seed, so that a failure can be repeated. */
export interface Dice {
  /** A random integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number
}

/** Mulberry32. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { below: (limit) => Math.floor(next() * limit) }
}
