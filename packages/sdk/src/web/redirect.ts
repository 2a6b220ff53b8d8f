import { pageContext } from '@svc/core'
import type { Redirect } from './document.ts'

/**
 * Where a redirect leads from this page. Null if the page is the target already: same place, with all parameters of the
 * target.
 *
 * @param knowsHash whether the address would have its hash. A server never sees it: it could send a visitor to a target
 *   with a hash for ever. What a server answers without a hash keeps that of the page, in the browser.
 */
export function targetOf({ url, keepQuery }: Redirect, address: string, knowsHash = false): string | null {
  const here = new URL(address)
  const target = new URL(url)
  const asked = [...target.searchParams]
  const isThere =
    pageContext(url)['page.url'] === pageContext(address)['page.url'] &&
    asked.every(([name, value]) => here.searchParams.getAll(name).includes(value)) &&
    (!knowsHash || !target.hash || target.hash === here.hash)
  if (isThere) return null
  const own = new Set(asked.map(([name]) => name))
  if (keepQuery) {
    for (const [name, value] of here.searchParams) if (!own.has(name)) target.searchParams.append(name, value)
    target.hash ||= here.hash
  }
  return target.href
}
