/**
 * The attributes of a page, made from its address: `page.url`, `page.host`, `page.path`, `page.hash`, `page.referrer` and
 * `page.query.<name>`. They have flat names, so that a parameter can have a dot in its name.
 *
 * - `page.url` is origin and path, `page.path` the path; neither ends with a slash, but the path of a start page is `/`.
 *   Both are percent-encoded, as browsers give them.
 * - `page.host` is the name of the host in lower case, without a port.
 * - `page.hash` begins with `#`. It is missing without one, and so is `page.referrer`.
 * - Of a parameter that comes several times, the first value counts.
 *
 * @returns undefined if the text is not an absolute http or https address
 */
export function pageContext(address: string, referrer?: string | null): Record<string, string> | undefined {
  const url = webAddress(address)
  if (!url) return undefined
  const path = withoutSlashes(url.pathname)
  const context: Record<string, string> = {
    'page.url': `${url.origin}${path}`,
    'page.host': url.hostname,
    'page.path': path === '' ? '/' : path,
  }
  for (const [name, value] of url.searchParams) {
    const attribute = `page.query.${name}`
    if (!Object.hasOwn(context, attribute)) context[attribute] = value
  }
  if (url.hash !== '') context['page.hash'] = url.hash
  if (referrer) context['page.referrer'] = referrer
  return context
}

/** An absolute http or https address; undefined for any other text. */
export function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
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
