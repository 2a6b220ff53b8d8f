/** Returns an element that every page has (src/layout.ts). */
export function part<E extends Element = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found as Element as E
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  part('site-status').textContent = text
}
