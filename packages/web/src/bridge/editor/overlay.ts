import type { Side } from './messages.ts'

type Page = Window & typeof globalThis

const width = 380
const foldedWidth = 44

/** Kinds of boxes: what a click would select, what is selected, and what a change or a selector finds. */
export type BoxKind = 'hovered' | 'selected' | 'found'

const css = `:host{all:initial}
iframe,.notice{position:fixed;top:0;bottom:0;width:${width}px;height:100%;border:0;z-index:2147483647;background:#fff;
box-shadow:0 0 24px rgb(0 0 0/25%)}
.left{left:0}.right{right:0}
.folded{width:${foldedWidth}px}
.notice{box-sizing:border-box;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#16191f;overflow:auto}
.notice code{font:14px/1.5 ui-monospace,monospace;background:#edeff3;padding:2px 4px;overflow-wrap:anywhere}
.notice button{font:inherit;padding:6px 12px}
.box{position:fixed;box-sizing:border-box;pointer-events:none;z-index:2147483646;border-radius:2px}
.hovered{border:2px dashed #3b5bdb}
.selected{border:2px solid #3b5bdb;box-shadow:0 0 0 1px #fff}
.found{border:2px solid #6d28d9;background:rgb(109 40 217/12%)}
.box[data-name]::after{content:attr(data-name);position:absolute;left:-2px;bottom:100%;padding:1px 6px;border-radius:3px 3px 0 0;
background:#3b5bdb;color:#fff;font:12px/18px system-ui,sans-serif;white-space:nowrap}
textarea{position:fixed;box-sizing:border-box;z-index:2147483646;margin:0;padding:0;border:0;outline:2px solid #3b5bdb;outline-offset:2px;
resize:none;overflow:hidden;background:#fff;color:#16191f}
@media (prefers-reduced-motion:no-preference){iframe{transition:width .18s ease-out}}`

/** The editor's own part of the page. Neither styles nor scripts of the page reach it, and it needs no inline style. */
export function createOverlay(page: Page) {
  const { document } = page
  const host = document.createElement('svc-editor')
  const root = host.attachShadow({ mode: 'closed' })
  root.adoptedStyleSheets = [sheetOf(page, css)]
  document.documentElement.append(host)
  /** Makes room for the frame, so that nothing of the page is behind it. */
  const room = sheetOf(page, '')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, room]
  const boxes = createBoxes(page, root)
  let docked: HTMLElement | undefined
  const handOver = (): void => void page.setTimeout(() => docked?.focus())

  return {
    host,
    show: boxes.show,
    /** Gives the keyboard to the frame. While Firefox handles a key, no frame of another site gets the focus. */
    handOver,
    /** Puts the frame, or a notice in its place, to a side of the window. */
    dock(element: HTMLElement, side: Side = 'RIGHT', isFolded = false): void {
      if (docked !== element) {
        docked?.remove()
        root.append(element)
      }
      docked = element
      const isLeft = side === 'LEFT'
      element.classList.toggle('left', isLeft)
      element.classList.toggle('right', !isLeft)
      element.classList.toggle('folded', isFolded)
      room.replaceSync(`html{margin-${isLeft ? 'left' : 'right'}:${isFolded ? foldedWidth : width}px!important}`)
    },
    /** A field over an element, in its font, in which a person types its text. Call the result to end it. */
    write(element: Element, text: string, onText: (text: string, isDone: boolean) => void): () => void {
      const field = document.createElement('textarea')
      lieOver(page, field, element)
      const end = listen(field, text, onText, handOver)
      root.append(field)
      field.focus()
      field.select()
      return end
    },
    remove(): void {
      boxes.end()
      host.remove()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== room)
    },
  }
}

export type Overlay = ReturnType<typeof createOverlay>

/** Boxes that follow elements of the page. */
function createBoxes(page: Page, root: ShadowRoot) {
  const boxes = new Map<BoxKind, { element: Element; box: HTMLElement }[]>()
  let isRunning = false
  const follow = (): void => {
    for (const { element, box } of [...boxes.values()].flat()) {
      const { left, top, width, height } = element.getBoundingClientRect()
      box.hidden = width + height === 0
      place(box, { left, top, width, height })
    }
    isRunning = boxes.size > 0
    if (isRunning) page.requestAnimationFrame(follow)
  }
  return {
    /** Draws boxes around elements in place of those of the same kind. */
    show(kind: BoxKind, elements: readonly Element[], name?: string): void {
      for (const { box } of boxes.get(kind) ?? []) box.remove()
      boxes.delete(kind)
      if (elements.length === 0) return
      const made = elements.map((element) => {
        const box = page.document.createElement('div')
        box.className = `box ${kind}`
        if (name) box.dataset.name = name
        root.append(box)
        return { element, box }
      })
      boxes.set(kind, made)
      if (!isRunning) follow()
    },
    end: () => boxes.clear(),
  }
}

function lieOver(page: Page, field: HTMLElement, element: Element): void {
  const { left, top, width, height } = element.getBoundingClientRect()
  const { font, letterSpacing, textAlign, lineHeight } = page.getComputedStyle(element)
  Object.assign(field.style, { font, letterSpacing, textAlign, lineHeight })
  place(field, { left, top, width: Math.max(width, 120), height: Math.max(height, 28) })
}

/** Tells what is typed into the field, until the person ends or takes it back. */
function listen(
  field: HTMLTextAreaElement,
  text: string,
  onText: (text: string, isDone: boolean) => void,
  onKeyEnd: () => void,
): () => void {
  field.value = text
  field.ariaLabel = 'Text of the selected element'
  let isOver = false
  const end = (isKept: boolean): void => {
    if (isOver) return
    isOver = true
    const { value } = field
    field.remove()
    onText(isKept ? value : text, true)
  }
  field.addEventListener('input', () => onText(field.value, false))
  field.addEventListener('blur', () => end(true))
  field.addEventListener('keydown', (event) => {
    event.stopPropagation()
    if (event.key === 'Escape') end(false)
    else if (event.key === 'Enter' && !event.shiftKey) end(true)
    else return
    event.preventDefault()
    onKeyEnd()
  })
  return () => end(true)
}

function sheetOf(page: Page, text: string): CSSStyleSheet {
  const sheet = new page.CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
}

function place(element: HTMLElement, area: Record<'left' | 'top' | 'width' | 'height', number>): void {
  for (const [name, pixels] of Object.entries(area)) element.style.setProperty(name, `${pixels}px`)
}
