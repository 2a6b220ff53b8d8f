import type { Details } from '../details.ts'

/** The units that were counted in this session, by rule and variation. */
export function createSeen() {
  let seen = new Map<string, Set<string>>()
  // Finds them by the answer, which all visitors of a variation share: that is faster than making a key.
  let seenOf = new WeakMap<object, Set<string>>()
  let count = 0

  const seenBy = (found: Details<unknown>): Set<string> => {
    const key = `${found.ruleId} ${found.variationKey}`
    const units = seen.get(key) ?? new Set()
    seen.set(key, units)
    seenOf.set(found, units)
    return units
  }

  return {
    /** Whether this unit was given an answer of this rule and variation. */
    has: (found: Details<unknown>, unit: string): boolean => (seenOf.get(found) ?? seenBy(found)).has(unit),
    /** Adds a unit that was given an answer. Returns how many there are now. */
    add(found: Details<unknown>, unit: string): number {
      seenBy(found).add(unit)
      return ++count
    },
    clear(): void {
      seen = new Map()
      seenOf = new WeakMap()
      count = 0
    },
  }
}
