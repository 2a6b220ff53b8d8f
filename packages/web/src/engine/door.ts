import type { Served } from '../script.ts'

/** Where the bridge keeps, for this tab, what has opened it: `svc-preview=<secret>` or `svc-editor=<code>`. */
export const doorName = 'svc-door'

/** What the bridge gets: the service, and what has opened it. */
export interface Door extends Pick<Served, 'baseUrl' | 'sdkKey'> {
  opened: string
  /** Starts what visitors get, where there is nothing to open. */
  start(): void
}

/**
 * Opens the preview or the editor in a tab that was opened for it, and starts visitors' experiments in every other one. It
 * knows by the end of the address, where a router can have its route before it, or from a page before. The secret leaves
 * the address before other scripts of the page can read it. Anybody can write such an end into a link, so the bridge
 * starts them too if there is no such preview.
 */
export function openDoor({ baseUrl, sdkKey }: Served, start: () => void): void {
  let opened: string | undefined
  try {
    const [found = '', given] = /\W(svc-(preview|editor)=[\w.-]+)$/.exec(location.hash) ?? []
    if (given) history.replaceState(history.state, '', location.href.slice(0, -found.length))
    // A browser can refuse its storage. Then the preview is on this page alone.
    opened = given ?? sessionStorage[doorName]
  } catch {}
  if (opened)
    import(`${baseUrl}/sdk/v1/web/bridge.js`)
      .then(({ open }) => open({ baseUrl, sdkKey, opened, start } satisfies Door))
      .catch(start)
  else start()
}
