import type { ServedChange } from '../../document.ts'

export type { HtmlNode, ServedChange } from '../../document.ts'
export { marked } from '../../own-work.ts'

/**
 * What the page and the frame of the visual editor say to each other, over a `MessagePort`. What comes from the page is data
 * of a stranger: the frame reads it with `messageFromPage`, shows it as text, and the service checks what is saved.
 */

/** Clicks select elements, or they act as on the page itself. */
export type Mode = 'SELECT' | 'INTERACT'

/** What a person asks for by a key, in the frame as on the page. */
export type Pressed = 'UNDO' | 'REDO' | 'SAVE' | 'MODE'

/** The side of the window on which the frame is. */
export type Side = 'LEFT' | 'RIGHT'

/** Where to go from the selected element. */
export type Step = 'PARENT' | 'CHILD' | 'PREVIOUS' | 'NEXT'

/** A change of the draft. `served` is null for one that is CSS, whose matches alone are counted. */
export interface Previewed {
  id: string
  selector: string
  served: ServedChange | null
}

/** A selector that finds the selected element, and how many elements it finds in all. */
export interface Candidate {
  selector: string
  matches: number
}

/** An element of the page without the changes of the draft. */
export interface Picked {
  /** At most three, the best one first. Empty if a change of the draft has made the element. */
  candidates: Candidate[]
  tag: string
  /** Its first text, which a TEXT change sets. */
  text: string
  /** What is in it; null if that is too long to edit. */
  html: string | null
  attributes: Record<string, string>
  /** Computed styles by property. */
  styles: Record<string, string>
  /** The framework that owns it, as far as the page shows it. */
  framework: string | null
  hasParent: boolean
  hasChild: boolean
  /** The elements before and after it among those of its parent; null if there is none. */
  previous: string | null
  next: string | null
}

export type ToPage =
  | { type: 'mode'; mode: Mode }
  | { type: 'preview'; changes: Previewed[]; css: string }
  | { type: 'highlight'; selector: string | null }
  | { type: 'scrollTo'; selector: string }
  /** Selects the first element that the selector finds. */
  | { type: 'pick'; selector: string }
  | { type: 'step'; to: Step }
  /** Says again what is selected, because its place has changed. */
  | { type: 'again' }
  /** Lets a person type the text of the selected element in its place. */
  | { type: 'write' }
  | { type: 'outline' }
  | { type: 'dock'; side: Side; isFolded: boolean }
  /** A code for the next page of this tab. */
  | { type: 'keep'; code: string }
  /** The service does not know the code. */
  | { type: 'refused' }
  | { type: 'close' }

export type FromPage =
  | { type: 'ready'; url: string; title: string }
  | { type: 'selected'; element: Picked }
  /** The selector that was asked for finds nothing, or is none. */
  | { type: 'missed'; selector: string }
  | { type: 'written'; text: string; isDone: boolean }
  | { type: 'navigated'; url: string }
  /** How many elements each change finds, by its id, and what keeps changes from acting. */
  | { type: 'applied'; matches: Record<string, number>; faults: Record<string, string> }
  | { type: 'outlined'; text: string }
  /** A key that the person pressed while the page had the focus. */
  | { type: 'pressed'; key: Pressed }

/** How the frame and the page find each other, before they have a port. */
export const announcement = 'svc-editor-frame'
export const welcome = 'svc-editor-page'

/** The first message to the frame, with its port. */
export interface Welcome {
  type: typeof welcome
  code: string
}

const most = { address: 2_000, text: 5_000, html: 20_000, outline: 20_000, name: 500, entries: 200 }

type Fields = Record<string, unknown>

/** A message of the page; undefined if it is none. What is longer than the editor can use is cut or left out. */
export function messageFromPage(data: unknown): FromPage | undefined {
  if (!isFields(data)) return undefined
  const text = (name: string, length: number) => textOf(data[name], length)
  switch (data.type) {
    case 'ready':
      return { type: 'ready', url: text('url', most.address), title: text('title', most.name) }
    case 'navigated':
      return { type: 'navigated', url: text('url', most.address) }
    case 'missed':
      return { type: 'missed', selector: text('selector', most.name) }
    case 'written':
      return { type: 'written', text: text('text', most.text), isDone: data.isDone === true }
    case 'outlined':
      return { type: 'outlined', text: text('text', most.outline) }
    case 'applied':
      return { type: 'applied', matches: numbersOf(data.matches), faults: textsOf(data.faults, most.name) }
    case 'selected':
      return isFields(data.element) ? { type: 'selected', element: pickedOf(data.element) } : undefined
    case 'pressed': {
      const key = (['UNDO', 'REDO', 'SAVE', 'MODE'] as const).find((each) => each === data.key)
      return key && { type: 'pressed', key }
    }
    default:
      return undefined
  }
}

function pickedOf(element: Fields): Picked {
  const candidates = Array.isArray(element.candidates) ? element.candidates.filter(isFields).slice(0, 3) : []
  const selectorOf = (value: unknown) => (typeof value === 'string' ? textOf(value, most.name) : null)
  return {
    candidates: candidates.map(({ selector, matches }) => ({
      selector: textOf(selector, most.name),
      matches: numberOf(matches),
    })),
    tag: textOf(element.tag, most.name),
    text: textOf(element.text, most.text),
    html: typeof element.html === 'string' && element.html.length <= most.html ? element.html : null,
    attributes: textsOf(element.attributes, most.text),
    styles: textsOf(element.styles, most.name),
    framework: typeof element.framework === 'string' ? textOf(element.framework, most.name) : null,
    hasParent: element.hasParent === true,
    hasChild: element.hasChild === true,
    previous: selectorOf(element.previous),
    next: selectorOf(element.next),
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const textOf = (value: unknown, length: number): string => (typeof value === 'string' ? value.slice(0, length) : '')
const numberOf = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0)

function textsOf(value: unknown, length: number): Record<string, string> {
  const entries = isFields(value) ? Object.entries(value).slice(0, most.entries) : []
  return Object.fromEntries(entries.map(([name, each]) => [name.slice(0, most.name), textOf(each, length)]))
}

function numbersOf(value: unknown): Record<string, number> {
  const entries = isFields(value) ? Object.entries(value).slice(0, most.entries) : []
  return Object.fromEntries(entries.map(([name, each]) => [name.slice(0, most.name), numberOf(each)]))
}

/** What a person asks for with a key; undefined for every other key. */
export function keyOf(event: KeyboardEvent): Pressed | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined
  const key = event.key.toLowerCase()
  if (key === 's' && !event.shiftKey) return 'SAVE'
  if (key === 'e' && event.shiftKey) return 'MODE'
  if (key === 'y') return 'REDO'
  if (key === 'z') return event.shiftKey ? 'REDO' : 'UNDO'
  return undefined
}
