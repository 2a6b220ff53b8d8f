import { keyOf, type Pressed } from './messages.ts'

type Page = Window & typeof globalThis

/** What a page does when somebody points at it. In SELECT mode it does none of it. */
const pointed = [
  ...['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick'],
  ...['touchstart', 'touchend', 'dragstart', 'submit'],
]

interface Actions {
  onHover(element: Element | null): void
  /** `hasPointer` is false for a key that acts as a click. */
  onPick(element: Element, hasPointer: boolean): void
  /** The text of what was picked is to be typed in its place. */
  onWrite(): void
  onKey(key: Pressed): void
}

/**
 * Watches what a person points at, outside of the editor's own host. While it selects, the page itself hears nothing of it:
 * no link is followed, and no menu opens.
 *
 * @returns switches between selecting and leaving the page alone, and ends
 */
export function watchPointing(page: Page, host: Element, actions: Actions) {
  let isSelecting = true
  const end = new page.AbortController()
  const options = { capture: true, passive: false, signal: end.signal }

  const elementOf = ({ target }: Event): Element | null =>
    target instanceof page.Element && target !== host && target !== page.document.documentElement ? target : null

  /** Since the last click or key. In Firefox, a click by key has the `detail` of one by mouse. */
  let hasPointer = false

  const onPointed = (event: Event): void => {
    if (event.type === 'pointerdown') hasPointer = true
    const element = elementOf(event)
    if (!isSelecting || !element) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.type === 'dblclick') actions.onWrite()
    if (event.type !== 'click') return
    actions.onPick(element, hasPointer)
    hasPointer = false
  }
  for (const name of pointed) page.addEventListener(name, onPointed, options)
  page.addEventListener('pointermove', (event) => actions.onHover(isSelecting ? elementOf(event) : null), options)
  page.document.documentElement.addEventListener('pointerleave', () => actions.onHover(null), options)
  page.addEventListener(
    'keydown',
    (event) => {
      hasPointer = false
      const key = keyOf(event)
      if (!key || event.target === host) return
      event.preventDefault()
      event.stopImmediatePropagation()
      actions.onKey(key)
    },
    options,
  )
  return {
    select(isOn: boolean): void {
      isSelecting = isOn
      if (!isOn) actions.onHover(null)
    },
    end: () => end.abort(),
  }
}
