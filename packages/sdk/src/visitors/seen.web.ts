import type { Details } from '../details.ts'

/**
 * As in `seen.ts`, for the script of web experiments: the session of a browser tab, so that not each page view counts. An
 * exposure is remembered for later pages only when the service has confirmed it: what waits is lost with its page.
 */
export function createSeen() {
  return {
    has: (found: Details<unknown>, unit: string): boolean => ofSession().has(keyOf(found, unit)),
    add: (found: Details<unknown>, unit: string): number => ofSession().add(keyOf(found, unit)).size,
    clear(): void {
      ofSession().clear()
      write([])
    },
  }
}

type Sent = Pick<Details<unknown>, 'ruleId' | 'variationKey'> & { unit: string }

const keyOf = ({ ruleId, variationKey }: Omit<Sent, 'unit'>, unit: string) => `${ruleId} ${variationKey} ${unit}`

/** The name in the storage of the session. The engine adds the SDK key: two projects can share a site. */
export const session = { name: 'svc_seen' }

let known: Set<string> | undefined

const ofSession = (): Set<string> => {
  known ??= new Set(read())
  return known
}

/** Remembers what the service has confirmed: the exposures among the events of this body, if it has events. */
export function confirm(body: string): void {
  const keys = (JSON.parse(body).events ?? []).flatMap((event: Sent) => (event.ruleId ? keyOf(event, event.unit) : []))
  // Also what another answer has confirmed meanwhile. A heartbeat has none.
  if (keys[0]) write([...new Set([...read(), ...keys])])
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
