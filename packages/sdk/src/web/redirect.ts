import { pageContext } from '@svc/core'
import type { Redirect } from './document.ts'

/**
 * Where a redirect leads from this page, without a hash, which browsers keep by themselves. Null if the page is the target
 * already: same place, with all parameters of the target.
 */
export function targetOf({ url, keepQuery }: Redirect, address: string): string | null {
  const here = new URL(address)
  const target = new URL(url)
  const asked = [...target.searchParams]
  const isThere =
    pageContext(url)['page.url'] === pageContext(address)['page.url'] &&
    asked.every(([name, value]) => here.searchParams.getAll(name).includes(value))
  if (isThere) return null
  const own = new Set(asked.map(([name]) => name))
  if (keepQuery)
    for (const [name, value] of here.searchParams) if (!own.has(name)) target.searchParams.append(name, value)
  return target.href
}
