import type { Details } from '../details.ts'

const name = 'svc_seen'

/** As in `seen.ts`, for the script of web experiments: the session of a browser tab, so that each page view does not count. */
export function createSeen() {
  const seen = new Set<string>(read())
  const keyOf = ({ ruleId, variationKey }: Details<unknown>, unit: string) => `${ruleId} ${variationKey} ${unit}`
  return {
    has: (found: Details<unknown>, unit: string): boolean => seen.has(keyOf(found, unit)),
    add(found: Details<unknown>, unit: string): number {
      seen.add(keyOf(found, unit))
      write([...seen])
      return seen.size
    },
    clear(): void {
      seen.clear()
      write([])
    },
  }
}

/** A browser can refuse its storage, and a page can write anything into it. Then each page view counts, as in `seen.ts`. */
function read(): string[] {
  try {
    const keys = JSON.parse(sessionStorage.getItem(name) ?? '[]')
    return Array.isArray(keys) ? keys : []
  } catch {
    return []
  }
}

function write(keys: readonly string[]): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(keys))
  } catch {
    // As above.
  }
}
