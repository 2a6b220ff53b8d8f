/** Shares of an element at which a browser tells how much of it shows: of a very long one, half of the screen is little. */
const steps = Array.from({ length: 51 }, (_, index) => index / 50)

/**
 * Calls `onSeen` once, when half of an element that the selector finds shows, or an element fills half of the screen.
 * Elements that come late count, too. A selector that the browser does not know finds none.
 *
 * @returns stops the watch
 */
export function whenSeen(page: Window & typeof globalThis, selector: string, onSeen: () => void): () => void {
  const { document } = page
  const stop = (): void => {
    shown.disconnect()
    added.disconnect()
  }
  const shown = new page.IntersectionObserver(
    (entries) => {
      const isSeen = entries.some(
        ({ isIntersecting, intersectionRatio, intersectionRect }) =>
          isIntersecting && (intersectionRatio >= 0.5 || intersectionRect.height * 2 >= page.innerHeight),
      )
      if (!isSeen) return
      stop()
      onSeen()
    },
    { threshold: steps },
  )
  const find = (): void => {
    try {
      for (const element of document.querySelectorAll(selector)) shown.observe(element)
    } catch {
      stop()
    }
  }
  const added = new page.MutationObserver(find)
  added.observe(document, { childList: true, subtree: true, attributeFilter: ['class', 'id'] })
  find()
  return stop
}
