import { beginningOf, murmur3After } from './murmur3.ts'

/** Number of buckets: traffic, split ends and exclusion slots are in basis points of it. */
export const bucketCount = 10_000

const seed = 1

/**
 * The bucket of a unit under a salt, an integer from 0 to 9999: `(murmur3(salt + '.' + unit, 1) * 10000) >> 32`.
 * The multiplication leaves no modulo bias, and stays below 2^53, so it is exact.
 * A rule asks twice: `<salt>.traffic` decides entry, `<salt>.split` the variation; then more traffic moves nobody.
 *
 * @example bucket('rule-a', 'user-1') // 8277
 */
export function bucket(salt: string, unit: string): number {
  return compileBucket(salt)(unit)
}

/** The buckets under one salt, which is hashed here, once. */
export function compileBucket(salt: string): (unit: string) => number {
  const beginning = beginningOf(`${salt}.`, seed)
  return (unit) => Math.floor((murmur3After(beginning, unit) * bucketCount) / 2 ** 32)
}
