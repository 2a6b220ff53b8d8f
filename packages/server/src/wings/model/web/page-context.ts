import { pageContext } from '@svc/core'

/** The attributes of a page; undefined if the text is not an absolute http or https address. */
export const contextOfPage = (address: string, referrer?: string | null): Record<string, string> | undefined =>
  webAddress(address) && pageContext(address, referrer)

/** An absolute http or https address; undefined for any other text. */
export function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

const pageAttributes = new Set(['page.url', 'page.host', 'page.path', 'page.hash', 'page.referrer'])

/** The rule that the name of an attribute of a page breaks; undefined if it breaks none or names no page. */
export function pageAttributeFault(name: string): string | undefined {
  if (name !== 'page' && !name.startsWith('page.')) return undefined
  if (pageAttributes.has(name) || /^page\.query\../s.test(name)) return undefined
  return `must be one of ${[...pageAttributes].join(', ')} and page.query.<name>`
}

/** Why no page can have this value in this attribute; undefined if one can. `whole` values are compared for equality. */
export function impossibleValue(attribute: string, value: string, { whole }: { whole: boolean }): string | undefined {
  if (attribute === 'page.host' && /[A-Z]/.test(value)) return `must be in lower case: ${value.toLowerCase()}`
  if (attribute === 'page.host' && whole && /[:/]/.test(value))
    return 'must be the name of a host without scheme, port and path, such as shop.example'
  if (attribute !== 'page.path' && attribute !== 'page.url') return undefined
  if (/[?#]/.test(value))
    return `must not contain ? or #: ${attribute} ends before them. Use page.query.<name> or page.hash`
  if (/[^\x21-\x7e]/.test(value) && value.isWellFormed()) return `must be percent-encoded: ${encodeURI(value)}`
  if (!whole) return undefined
  if (attribute === 'page.path' && !value.startsWith('/')) return 'must begin with a slash, such as /pricing'
  if (attribute === 'page.url' && !/^https?:\/\//.test(value)) return 'must begin with http:// or https://'
  return value.endsWith('/') && value !== '/' ? `must not end with a slash: ${attribute} never does` : undefined
}
