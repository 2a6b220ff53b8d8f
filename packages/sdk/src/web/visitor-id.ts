/** The cookie with the id of a visitor of web experiments. */
export const visitorCookie = 'svc_id'

/** How long the cookie is kept after each visit. */
export const visitorCookieSeconds = 31_536_000

// The characters of RFC 6265, so that an id can be written into a header, and at most as many as an event takes.
const cookiePattern = new RegExp(`(?:^|; ?)${visitorCookie}=([!#-+\\--:<-[\\]-~]{1,512})(?:;|$)`)

/** The visitor that a browser names in its cookies: the first readable id. */
export const visitorIdOf = (cookies: string): string | undefined => cookiePattern.exec(cookies)?.[1]

/** 128 random bits as 32 hexadecimal digits. `randomUUID` does not work on pages without HTTPS. */
export const newVisitorId = (crypto: Pick<Crypto, 'getRandomValues'>): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
