/** What the settings pages were called before their address named the organization. */
const settings: Record<string, string> = { organization: 'general' }

/** The id, short number or key of the project in `/projects/…`; undefined in an address of settings. */
export function projectNamedIn(href: string): string | undefined {
  const [, named] = /^\/projects\/([^/?#]*)/.exec(href) ?? []
  return named === undefined ? undefined : decoded(named).toLowerCase()
}

/** The new address of an old one: `/projects/3/flags/a?x` becomes `/7-acme/3-web-shop/flags/a?x`. */
export function newAddressOf(href: string, org: string, project?: string): string {
  if (project !== undefined) return `/${org}/${project}${href.replace(/^\/projects\/[^/?#]*/, '')}`
  return `/${org}${href.replace(/^\/settings\/([^/?#]*)/, (_, page) => `/settings/${settings[page] ?? page}`)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
