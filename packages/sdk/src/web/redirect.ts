import { pageContext } from '@svc/core'
import type { Redirect } from './document.ts'

/**
 * Where a redirect leads from this page. Null if the page is the target already: same place, with all parameters of the
 * target.
 *
 * @param inPage whether the address has its scheme and its hash for sure. A server never sees the hash, and behind a proxy
 *   not the scheme: it could send a visitor to the same target for ever. What a server answers without a hash keeps that
 *   of the page, in the browser.
 */
export function targetOf({ url, keepQuery }: Redirect, address: string, inPage = false): string | null {
  const here = new URL(address)
  const target = new URL(url)
  const asked = [...target.searchParams]
  const placeOf = (page: string) => {
    const place = pageContext(page)['page.url']!
    return inPage ? place : place.replace(/^\w+/, '')
  }
  const isThere =
    placeOf(url) === placeOf(address) &&
    asked.every(([name, value]) => here.searchParams.getAll(name).includes(value)) &&
    (!inPage || !target.hash || target.hash === here.hash)
  if (isThere) return null
  const own = new Set(asked.map(([name]) => name))
  if (keepQuery) {
    for (const [name, value] of here.searchParams) if (!own.has(name)) target.searchParams.append(name, value)
    target.hash ||= here.hash
  }
  return target.href
}
