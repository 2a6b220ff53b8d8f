import { beginningOf, murmur3After } from './murmur3.ts'

/**
 * Returns `murmur3` of texts with a common beginning, which is hashed once, here.
 *
 * @example hashAfter('hel', 0)('lo') // murmur3('hello', 0)
 */
export function hashAfter(beginning: string, seed: number): (text: string) => number {
  const begun = beginningOf(beginning, seed)
  return (text) => murmur3After(begun, text)
}
