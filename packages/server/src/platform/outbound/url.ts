import { isIP } from 'node:net'
import { type AllowedHosts, defaultPort, isAllowed } from './allowed-hosts.ts'

const urlMaxCharacters = 2048
const hostMaxCharacters = 253

// Names of this machine or a nearby network, wherever they are resolved (RFC 6761, 6762, 8375; private use).
const nearbySuffixes = ['.local', '.localdomain', '.internal', '.intranet', '.lan', '.home.arpa']

/** Returns the URL if it can be used, or one sentence that says why not. Asks no name server. */
export function readUrl(text: string, allowed: AllowedHosts): URL | string {
  const url = text.length <= urlMaxCharacters ? URL.parse(text) : null
  const problem = spellingProblem(text, url) ?? hostProblem(url!, isAllowed(allowed, url!))
  return problem ?? url!
}

// The URL is sent exactly as saved, so a spelling that the parser would have to repair is refused.
function spellingProblem(text: string, url: URL | null): string | undefined {
  if (text.length > urlMaxCharacters) return `URL must be at most ${urlMaxCharacters} characters long`
  if (/[\s\p{Cc}]/u.test(text)) return 'URL must not contain spaces or control characters'
  if (text.includes('\\')) return 'URL must not contain backslashes'
  if (/^http:/i.test(text)) return 'URL must use https, not plain http'
  if (!/^https:\/\/[^/]/i.test(text)) return 'URL must begin with https:// and a host'
  if (authority(text).includes('@')) return 'URL must not contain a username or password'
  if (!url) return isNumeric(authority(text)) ? literalAddress : 'URL is not valid'
  if (text.includes('#')) return 'URL must not contain a fragment (#), because it would not be sent'
  return undefined
}

const literalAddress = 'URL must use a hostname, not an IP address'

function hostProblem({ hostname, port }: URL, isOpened: boolean): string | undefined {
  const host = hostname.replace(/\.+$/, '')
  if (hostname.startsWith('[') || isIP(host)) return literalAddress
  if (host.length > hostMaxCharacters || host.split('.').includes('')) return 'URL is not valid'
  const unless = unlessAllowed(host, port)
  if (!isOpened && (host === 'localhost' || host.endsWith('.localhost'))) return `URL must not use localhost${unless}`
  if (!isOpened && isNearby(host)) return `URL must use a public hostname${unless}`
  if (hostname !== host) return 'URL must not end its hostname with a dot'
  if (!isOpened && port !== '') return `URL must use the default port, 443${unless}`
  return undefined
}

// It names the port, because an entry without one allows only the default port. No entry can have port 0.
const unlessAllowed = (host: string, port: string): string =>
  port === '0' ? '' : `, unless SVC_WEBHOOK_ALLOWED_HOSTS has the entry ${host}:${port || defaultPort}`

const isNearby = (host: string): boolean =>
  !host.includes('.') || nearbySuffixes.some((suffix) => `.${host}`.endsWith(suffix))

const authority = (text: string): string => text.slice('https://'.length).split(/[/?#]/, 1)[0]!

// The parser does not read 256.1.1.1 and [::1%eth0] as addresses, but they were meant as such.
const isNumeric = (host: string): boolean => host.startsWith('[') || /^[\d.x]+(:\d*)?$/i.test(host)
