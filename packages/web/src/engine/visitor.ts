const cookieName = 'svc_id'
const yearSeconds = 31_536_000

/** A visitor of the site. */
export interface Visitor {
  /** The targeting key of this browser. */
  id: string
  /** Nobody has given this browser an id before. */
  isNew: boolean
}

/** The visitor that the cookie names, or a new one. Nothing is stored; see {@link remember}. */
export function visitorOf({ document, crypto }: Pick<Window & typeof globalThis, 'document' | 'crypto'>): Visitor {
  const known = new RegExp(`(?:^|; )${cookieName}=([^;]+)`).exec(document.cookie)?.[1]
  return known ? { id: known, isNew: false } : { id: randomId(crypto), isNew: true }
}

/** 128 random bits as 32 hexadecimal digits. `randomUUID` does not work on pages without HTTPS. */
const randomId = (crypto: Crypto): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Stores the visitor's id in a cookie for a year, on the widest domain that the browser takes: with an id for each
 * subdomain, one person would be several visitors.
 *
 * @param domain the domain that the project names; null: the widest one
 */
export function remember(
  { id }: Visitor,
  { document, location }: Pick<Window, 'document' | 'location'>,
  domain: string | null,
): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const write = (on: string) => {
    document.cookie = `${cookieName}=${id}; path=/; max-age=${yearSeconds}; samesite=lax${secure}${on}`
    return document.cookie.includes(`${cookieName}=${id}`)
  }
  const labels = location.hostname.split('.')
  // A browser refuses domains that are not the site's own, such as co.uk.
  const candidates = domain === null ? labels.map((_, index) => labels.slice(-index - 1).join('.')) : [domain]
  if (!candidates.some((candidate) => write(`; domain=${candidate}`))) write('')
}
