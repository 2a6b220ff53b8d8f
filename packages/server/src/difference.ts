import { isDeepStrictEqual } from 'node:util'

/** One field that two versions of something have differently. */
export interface Difference {
  path: string
  from: unknown
  to: unknown
}

/** Whether what two lists have in common is in the same order. */
export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  const common = new Set(one).intersection(new Set(other))
  const kept = (list: readonly string[]) => list.filter((id) => common.has(id))
  return isDeepStrictEqual(kept(one), kept(other))
}
