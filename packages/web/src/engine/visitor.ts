import { keptCookie } from '../../../sdk/src/web/kept.ts'
import { newVisitorId, visitorCookie, visitorCookieSeconds, visitorIdOf } from '../../../sdk/src/web/visitor-id.ts'

const probeName = 'svc_probe'
const probeSeconds = 9

/** A visitor of the site. */
export interface Visitor {
  /** The targeting key of this browser. */
  id: string
  /** Nobody has given this browser an id before. */
  isNew: boolean
}

/** The visitor that the cookie names, or a new one. Nothing is stored; see {@link createCookies}. */
export function visitorOf({ document, crypto }: Pick<Window & typeof globalThis, 'document' | 'crypto'>): Visitor {
  const known = visitorIdOf(document.cookie)
  return { id: known ?? newVisitorId(crypto), isNew: !known }
}

export type Cookies = ReturnType<typeof createCookies>

/**
 * Cookies for a year from now, on the widest domain that the browser takes: with an id for each subdomain, one person would
 * be several visitors.
 *
 * @param domain the domain that the project names; null: the widest one
 */
export function createCookies({ document, location }: Pick<Window, 'document' | 'location'>, domain: string | null) {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  /** Returns whether the browser has taken a probe. To read cookies is to wait for another process: nothing else is read. */
  const write = (name: string, value: string, seconds: number, on: string): boolean => {
    try {
      document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax${secure}${on}`
      return seconds === probeSeconds && document.cookie.includes(`${name}=${value}`)
    } catch {
      // A frame without an origin has no cookies.
      return false
    }
  }
  const labels = location.hostname.split('.')
  // No browser takes a domain of one label.
  const places = [...labels.slice(1).map((_, index) => `; domain=${labels.slice(-index - 2).join('.')}`), '']
  return {
    /** Returns whether the browser keeps it. */
    keep(name: string, value: string): boolean {
      // A browser refuses domains that are not the site's own, such as co.uk. A cookie of its own shows it: the visitor's
      // can be there already.
      const on = (domain ? [`; domain=${domain}`, ''] : places).find((each) =>
        write(probeName, value, probeSeconds, each),
      )
      if (on === undefined) return false
      write(probeName, '', 0, on)
      return !write(name, value, visitorCookieSeconds, on)
    },
    /** Also one that a server has set for this host alone, or that is from before the project named a domain. */
    drop(name: string): void {
      for (const on of places) write(name, '', 0, on)
    },
  }
}

/** Stores the visitor's id. Without it, each page view would be a visitor of its own: false. */
export const remember = ({ id }: Visitor, cookies: Cookies): boolean => cookies.keep(visitorCookie, id)

/** Removes what the script has stored of a visitor. */
export function forget(page: Window, cookies: Cookies): void {
  for (const name of [visitorCookie, keptCookie]) cookies.drop(name)
  try {
    const { sessionStorage } = page
    for (const name of Object.keys(sessionStorage)) if (name.startsWith('svc_')) sessionStorage.removeItem(name)
  } catch {
    // A browser that refuses its storage has nothing in it.
  }
}
