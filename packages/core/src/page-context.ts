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
 * @param address an absolute http or https address
 * @param referrer the address of the page before; an empty text or undefined if there is none
 * @throws TypeError if the address is not absolute
 */
export function pageContext(address: string, referrer?: string | null): Record<string, string> {
  const { origin, pathname, hostname, searchParams, hash } = new URL(address)
  let path = pathname
  while (path.endsWith('/')) path = path.slice(0, -1)
  const context: Record<string, string> = {
    'page.url': origin + path,
    'page.host': hostname,
    'page.path': path || '/',
  }
  for (const [name, value] of searchParams) context[`page.query.${name}`] ??= value
  if (hash) context['page.hash'] = hash
  if (referrer) context['page.referrer'] = referrer
  return context
}
