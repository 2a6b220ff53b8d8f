import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { switched, through } from './grid-moves.ts'

export interface TableHandle {
  /** Focuses the active row, or the next (1) or previous (-1) one. */
  focusRow: (step: 0 | 1 | -1) => void
}

/** The row that has or had the focus. */
export function useActiveRow(keys: readonly string[], onActive: ((key: string | undefined) => void) | undefined) {
  const [activeKey, setActiveKey] = useState<string>()
  // The place of the active row is kept for the case that the row goes away.
  const [lastPlace, setLastPlace] = useState(0)
  const found = activeKey === undefined ? -1 : keys.indexOf(activeKey)
  return {
    /** -1 if there is none. */
    found,
    active: found >= 0 ? found : Math.min(lastPlace, keys.length - 1),
    isFresh: activeKey === undefined,
    activate: (at: number) => {
      setActiveKey(keys[at])
      setLastPlace(at)
      onActive?.(keys[at])
    },
  }
}

interface RowFocusOptions {
  body: RefObject<HTMLElement | null>
  row: ReturnType<typeof useActiveRow>
  count: number
  /** Brings a row into the page that is not in it. */
  fetch: (at: number) => void
  handle: RefObject<TableHandle | null> | undefined
}

/** Moves the focus from row to row, also to one that appears in the page only after scrolling. */
export function useRowFocus({ body, row, count, fetch, handle }: RowFocusOptions) {
  const wanted = useRef<number | undefined>(undefined)
  const rowAt = (at: number) => body.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)
  const focusWanted = () => {
    const element = wanted.current === undefined ? undefined : rowAt(wanted.current)
    if (!element) return
    wanted.current = undefined
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'nearest' })
  }
  const go = (at: number) => {
    if (count === 0) return
    row.activate(at)
    wanted.current = at
    if (rowAt(at)) focusWanted()
    else fetch(at)
  }
  // A row that was far away appears with a later rendering.
  useEffect(focusWanted)
  useEffect(() => {
    // The first step goes to the first row.
    const from = row.isFresh ? Math.min(row.active, 0) - 1 : row.active
    const to = (step: number) => Math.max(0, Math.min(count - 1, from + step))
    if (handle) handle.current = { focusRow: (step) => go(to(step)) }
  })
  return { go, rowAt }
}

interface Selection {
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
}

/** Selects rows by their places. A range begins where a row was selected last. */
export function useSelecting(keys: readonly string[], active: number, selection: Selection | undefined) {
  const anchor = useRef(active)
  return {
    /** A range that is extended next begins here. */
    begin: (at: number) => {
      anchor.current = at
    },
    select: (at: number, extend: boolean) => {
      const key = keys[at]
      if (!selection || key === undefined) return
      const { selected, onSelect } = selection
      onSelect(extend ? through(selected, keys, anchor.current, at) : switched(selected, key))
      anchor.current = at
    },
    extendTo: (at: number) => {
      if (!selection) return
      selection.onSelect(through(selection.selected, keys, active, at))
      anchor.current = at
    },
  }
}

const controls = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled])'

export const controlsOf = (row: Element | null | undefined): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(controls) ?? []),
]

/** On a control of a row: → and ← go to its neighbors, ← on the first one and Escape go back to the row. */
export function walkControls(event: KeyboardEvent<HTMLElement>): void {
  const row = (event.target as Element).closest<HTMLElement>('[data-at]')
  const step = { ArrowRight: 1, ArrowLeft: -1, Escape: Number.NEGATIVE_INFINITY }[event.key]
  if (!row || !step) return
  const all = controlsOf(row)
  const next = all.indexOf(event.target as HTMLElement) + step
  if (next >= all.length) return
  event.preventDefault()
  const target = next < 0 ? row : all[next]
  target?.focus()
}

/** Takes the controls of rows out of the tab order: the whole table is one stop. */
export function useRovingControls(body: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = body.current
    if (!element) return undefined
    const quiet = () => {
      for (const control of element.querySelectorAll<HTMLElement>(controls))
        if (control.tabIndex !== -1) control.tabIndex = -1
    }
    quiet()
    const observer = new MutationObserver(quiet)
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [body])
}

/** How far the rows begin below the top of the document, as that changes. */
export function useOffset(body: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return undefined
    const measure = () => setOffset(Math.round(element.getBoundingClientRect().top + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [body])
  return offset
}
