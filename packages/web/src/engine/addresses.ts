/** Calls `onChange` whenever the address of the page changes without a load, however the page does it. */
export function watchAddress(page: Window & typeof globalThis, onChange: () => void): void {
  let address = page.location.href
  const look = (): void => {
    if (page.location.href === address) return
    address = page.location.href
    onChange()
  }
  const { navigation } = page as { navigation?: EventTarget }
  if (navigation) navigation.addEventListener('currententrychange', look)
  else {
    for (const name of ['pushState', 'replaceState'] satisfies (keyof History)[]) {
      const original = page.history[name]
      page.history[name] = (...given) => {
        original.apply(page.history, given)
        look()
      }
    }
    page.addEventListener('popstate', look)
    page.addEventListener('hashchange', look)
  }
}
