import { hashAfter } from './hash-after.ts'

/** Number of buckets. Traffic, split ends and exclusion slots count in buckets, which are basis points. */
export const bucketCount = 10_000

const seed = 1

/**
 * The bucket of a unit under a salt, an integer from 0 to 9999: `(murmur3(salt + '.' + unit, 1) * 10000) >> 32`.
 * The multiplication has no modulo bias and stays below 2^53, so it is exact.
 * A rule draws two buckets: `<salt>.traffic` decides whether the visitor enters, `<salt>.split` the variation. So
 * raising the traffic allocation does not change the variation of any visitor.
 *
 * @example bucket('rule-a', 'user-1') // 8277
 */
export function bucket(salt: string, unit: string): number {
  return compileBucket(salt)(unit)
}

/** Returns `bucket` for one salt. The salt is hashed only once, here. */
export function compileBucket(salt: string): (unit: string) => number {
  const hash = hashAfter(`${salt}.`, seed)
  return (unit) => Math.floor((hash(unit) * bucketCount) / 2 ** 32)
}
