import { watchAddress } from '../../engine/addresses.ts'
import { textAspect } from '../../engine/slots.ts'
import { pickedOf, steppedFrom } from './element.ts'
import type { FromPage, Step, ToPage } from './messages.ts'
import { outlineOf } from './outline.ts'
import type { Overlay } from './overlay.ts'
import { watchPointing } from './pointing.ts'
import { createPreview, originalOf } from './preview.ts'

type Page = Window & typeof globalThis

/** A page that changes all the time is counted this often. */
const countMs = 500
const mostBoxes = 100

interface Session {
  port: MessagePort
  frame: HTMLIFrameElement
  overlay: Overlay
  /** Keeps the code that opens the editor on the next page of this tab; null forgets it. */
  keep(code: string | null): void
  /** Starts what visitors get. */
  start(): void
}

/** Does on the page what the frame asks for, and tells the frame what happens there. */
export function startSession(page: Page, { port, frame, overlay, keep, start }: Session): void {
  const { document, location } = page
  const preview = createPreview(page)
  const tell = (message: FromPage) => port.postMessage(message)
  const { choose, step, again, write } = createSelection(page, { overlay, preview, tell })
  let nextCode: string | null = null

  const tellMatches = (): void => tell({ type: 'applied', matches: preview.matches(), faults: preview.faults() })
  let counted = ''
  const recount = throttled(page, () => {
    const now = JSON.stringify(preview.matches())
    if (now !== counted) tellMatches()
    counted = now
  })

  const pointing = watchPointing(page, overlay.host, {
    onHover: (element) => overlay.show('hovered', element ? [element] : [], element?.localName),
    onPick(element, hasPointer) {
      choose(element)
      // Who uses the keyboard goes on in the editor.
      if (!hasPointer) overlay.handOver()
    },
    onWrite: write,
    onKey: (key) => tell({ type: 'pressed', key }),
  })
  const changes = new page.MutationObserver(recount)
  changes.observe(document, { childList: true, subtree: true, attributes: true })
  watchAddress(page, () => tell({ type: 'navigated', url: location.href }))
  page.addEventListener('pagehide', () => keep(nextCode))

  const acts: { [Type in ToPage['type']]: (message: Extract<ToPage, { type: Type }>) => void } = {
    mode: ({ mode }) => pointing.select(mode === 'SELECT'),
    preview({ changes, css }) {
      preview.show(changes, css)
      tellMatches()
    },
    highlight: ({ selector }) =>
      overlay.show('found', selector === null ? [] : preview.find(selector).slice(0, mostBoxes)),
    scrollTo: ({ selector }) => preview.find(selector)[0]?.scrollIntoView({ block: 'center', behavior: 'smooth' }),
    pick({ selector }) {
      const [found] = preview.find(selector)
      if (!found) return tell({ type: 'missed', selector })
      found.scrollIntoView({ block: 'nearest' })
      choose(found)
    },
    step: ({ to }) => step(to),
    again,
    write,
    outline: () =>
      tell({ type: 'outlined', text: preview.without(() => outlineOf(document, () => page.performance.now())) }),
    dock: ({ side, isFolded }) => overlay.dock(frame, side, isFolded),
    keep({ code }) {
      nextCode = code
    },
    refused: start,
    close() {
      nextCode = null
      keep(null)
      changes.disconnect()
      pointing.end()
      preview.show([], '')
      port.close()
      overlay.remove()
    },
  }
  port.onmessage = ({ data }: MessageEvent<ToPage>) => acts[data.type]?.(data as never)
  tell({ type: 'ready', url: location.href, title: document.title })
}

interface Shown {
  overlay: Overlay
  preview: ReturnType<typeof createPreview>
  tell(message: FromPage): void
}

/** The element that a person has selected. */
function createSelection(page: Page, { overlay, preview, tell }: Shown) {
  let selected: Element | undefined
  let endWriting = () => {}
  const choose = (element: Element): void => {
    endWriting()
    selected = originalOf(element)
    overlay.show('hovered', [])
    overlay.show('selected', [element], element.localName)
    tell({ type: 'selected', element: pickedOf(selected, () => page.performance.now(), preview.without) })
  }
  return {
    choose,
    step(to: Step): void {
      const found = selected && steppedFrom(selected, to)
      if (found && found !== overlay.host) choose(found)
    },
    again(): void {
      if (selected?.isConnected) choose(selected)
    },
    write(): void {
      // An image, a line or a field has no text.
      if (!selected?.outerHTML.endsWith(`</${selected.localName}>`)) return
      endWriting()
      const text = (textAspect().read(selected) ?? '').trim()
      endWriting = overlay.write(selected, text, (typed, isDone) => tell({ type: 'written', text: typed, isDone }))
    },
  }
}

/** Calls `work` once for all calls within a while. */
function throttled(page: Page, work: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    page.setTimeout(() => {
      isWaiting = false
      work()
    }, countMs)
  }
}
