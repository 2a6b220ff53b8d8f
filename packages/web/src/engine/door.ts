import type { Served } from '../script.ts'

/** Where the bridge keeps, for this tab, what has opened it: `svc-preview=<secret>` or `svc-editor=<code>`. */
export const doorName = 'svc-door'

/** What the bridge gets: the service, and what has opened it. */
export interface Door extends Pick<Served, 'baseUrl' | 'sdkKey'> {
  opened: string
}

/**
 * Whether the tab shows a preview or the editor: by the end of the address, where a router can have its route before it,
 * or from a page before. Then the bridge is loaded, and visitors' experiments must not start. The secret leaves the address
 * before other scripts of the page can read it.
 */
export function isDoor(page: Window, { baseUrl, sdkKey }: Served): boolean {
  const { location, history } = page
  const [found = '', given] = /[#?&](svc-(?:preview|editor)=[\w.-]+)$/.exec(location.hash) ?? []
  let opened: string | null | undefined = given
  try {
    if (given) history.replaceState(history.state, '', location.href.slice(0, -found.length))
    opened ??= page.sessionStorage.getItem(doorName)
  } catch {
    // A browser can refuse its storage. Then the preview is on this page alone.
  }
  if (opened)
    import(`${baseUrl}/sdk/v1/web/bridge.js`).then(({ open }) => open({ baseUrl, sdkKey, opened } satisfies Door))
  return Boolean(opened)
}
