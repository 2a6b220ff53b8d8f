import type { Details } from '../details.ts'

/** As in `seen.ts`, in fewer bytes: it makes a key for each answer. */
export function createSeen() {
  const seen = new Set<string>()
  const keyOf = ({ ruleId, variationKey }: Details<unknown>, unit: string) => `${ruleId} ${variationKey} ${unit}`
  return {
    has: (found: Details<unknown>, unit: string): boolean => seen.has(keyOf(found, unit)),
    add: (found: Details<unknown>, unit: string): number => seen.add(keyOf(found, unit)).size,
    clear: () => seen.clear(),
  }
}
