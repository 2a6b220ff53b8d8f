import { z } from 'zod'
import { hostName, webAddress } from './page-context.ts'

export const maxHosts = 50
const maxHostLength = 253

/** `shop.example`, or `*.shop.example` for every host below it, but not for shop.example itself. */
export const hostField = z
  .string()
  .max(maxHostLength)
  .transform((text) => hostPattern(text) ?? text)
  .refine((text) => hostPattern(text) === text, {
    message: 'must be the name of a host without scheme, port and path, such as shop.example or *.shop.example.',
  })

/** A pattern in its one form: lower case, other scripts as browsers encode them. Undefined if it is none. */
function hostPattern(text: string): string | undefined {
  const isWild = text.startsWith('*.')
  const host = hostName(isWild ? text.slice(2) : text)
  if (host === undefined) return undefined
  // A star before one label, such as *.com, would be a whole registry.
  if (isWild && (!host.includes('.') || /^[\d.]+$|^\[/.test(host))) return undefined
  return isWild ? `*.${host}` : host
}

/** Whether an http or https address goes to one of these hosts. Its port does not matter. */
export function hostAllowed(address: string, hosts: readonly string[]): boolean {
  const host = webAddress(address)?.hostname
  if (host === undefined) return false
  return hosts.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern))
}

/** Second-level names below which registries of countries give names to sites, such as co.uk. */
const registryNames = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'gv', 'ne', 'net', 'or', 'org'])

/**
 * Whether a cookie goes along from one host to another. Browsers know every registry; this knows the usual ones, and
 * takes the sites of one hosting domain for one site.
 *
 * @param cookieDomain where the project sets the cookie; null for the widest domain that the browser takes
 */
export function sameSite(from: string, to: string, cookieDomain: string | null): boolean {
  if (from === to) return true
  const domain = cookieDomain ?? siteOf(from)
  return [from, to].every((host) => host === domain || host.endsWith(`.${domain}`))
}

function siteOf(host: string): string {
  if (/^[\d.]+$|^\[/.test(host)) return host
  const labels = host.split('.')
  const isOfCountry = labels.length > 2 && labels.at(-1)!.length === 2 && registryNames.has(labels.at(-2)!)
  return labels.slice(isOfCountry ? -3 : -2).join('.')
}
