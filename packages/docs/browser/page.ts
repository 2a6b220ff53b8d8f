/** What a script expects in every page (src/layout.ts). */
export function part<E extends Element = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found as Element as E
}

/** Has screen readers say it. */
export function announce(text: string): void {
  part('site-status').textContent = text
}
