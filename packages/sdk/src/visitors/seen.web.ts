import type { Details } from '../details.ts'

/**
 * As in `seen.ts`, for the script of web experiments: the session of a browser tab, so that not each page view counts. An
 * exposure is remembered for later pages only when the service has confirmed it: what waits is lost with its page.
 */
export function createSeen() {
  const keyOf = ({ ruleId, variationKey }: Details<unknown>, unit: string) => `${ruleId} ${variationKey} ${unit}`
  return {
    has: (found: Details<unknown>, unit: string): boolean => ofSession().has(keyOf(found, unit)),
    add: (found: Details<unknown>, unit: string): number => ofSession().add(keyOf(found, unit)).size,
    clear(): void {
      ofSession().clear()
      write([])
    },
  }
}

/** The name in the storage of the session. The engine adds the SDK key: two projects can share a site. */
export const session = { name: 'svc_seen' }

let known: Set<string> | undefined

const ofSession = (): Set<string> => {
  known ??= new Set(read())
  return known
}

/** Call it when events are sent, and the result when the service has confirmed them. */
export function sending(): () => void {
  const sent = [...ofSession()]
  return () => write(sent)
}

/** A browser can refuse its storage, and a page can write anything into it. Then each page view counts, as in `seen.ts`. */
function read(): string[] {
  try {
    const keys = JSON.parse(sessionStorage.getItem(session.name) ?? '[]')
    return Array.isArray(keys) ? keys : []
  } catch {
    return []
  }
}

function write(keys: readonly string[]): void {
  try {
    // Who is not counted leaves no trace.
    if (keys[0] === undefined) sessionStorage.removeItem(session.name)
    else sessionStorage.setItem(session.name, JSON.stringify(keys))
  } catch {
    // As above.
  }
}
