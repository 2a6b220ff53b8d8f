/** Calls `work` once the page has loaded: until then, what frameworks expect in the page must not change. */
export function whenLoaded(page: Window, work: () => void): void {
  if (page.document.readyState === 'complete') work()
  else page.addEventListener('load', work, { once: true })
}
