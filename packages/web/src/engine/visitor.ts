import { newVisitorId, visitorCookie, visitorCookieSeconds, visitorIdOf } from '../../../sdk/src/web/visitor-id.ts'

const probeName = 'svc_probe'

/** A visitor of the site. */
export interface Visitor {
  /** The targeting key of this browser. */
  id: string
  /** Nobody has given this browser an id before. */
  isNew: boolean
}

/** The visitor that the cookie names, or a new one. Nothing is stored; see {@link remember}. */
export function visitorOf({ document, crypto }: Pick<Window & typeof globalThis, 'document' | 'crypto'>): Visitor {
  const known = visitorIdOf(document.cookie)
  return known ? { id: known, isNew: false } : { id: newVisitorId(crypto), isNew: true }
}

/**
 * Stores the visitor's id in a cookie for a year from now, on the widest domain that the browser takes: with an id for each
 * subdomain, one person would be several visitors.
 *
 * @param domain the domain that the project names; null: the widest one
 * @returns whether the browser keeps it. Otherwise each page view would be a visitor of its own.
 */
export function remember(
  { id }: Visitor,
  { document, location }: Pick<Window, 'document' | 'location'>,
  domain: string | null,
): boolean {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const write = (name: string, value: string, seconds: number, on: string): boolean => {
    document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax${secure}${on}`
    return document.cookie.includes(`${name}=${value}`)
  }
  const labels = location.hostname.split('.')
  // A browser refuses domains that are not the site's own, such as co.uk. A cookie of its own shows it: the visitor's can
  // be there already.
  const candidates = domain === null ? labels.map((_, index) => labels.slice(-index - 1).join('.')) : [domain]
  const on = [...candidates.map((candidate) => `; domain=${candidate}`), ''].find((each) =>
    write(probeName, id, 9, each),
  )
  if (on === undefined) return false
  write(probeName, '', 0, on)
  return write(visitorCookie, id, visitorCookieSeconds, on)
}
