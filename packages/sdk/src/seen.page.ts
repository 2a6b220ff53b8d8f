import type { Details } from './details.ts'

/** As in `seen.ts`, in fewer bytes: it makes a key for each answer. */
export function createSeen() {
  const seen = new Set<string>()
  return {
    add({ ruleId, variationKey }: Details<unknown>, unit: string): number {
      const key = `${ruleId} ${variationKey} ${unit}`
      return seen.has(key) ? 0 : seen.add(key).size
    },
    clear: () => seen.clear(),
  }
}
