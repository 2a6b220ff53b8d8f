import { shortSelectorOf } from './candidates.ts'

export const maxOutlineBytes = 20_000
const maxElements = 3_000
const limitMs = 2_000
const maxTextLength = 80

/** What loads, runs or draws something, and what visitors fill in. */
const leftOut = new Set(
  'script style link meta base template noscript iframe object embed head title option datalist source track br wbr svg'.split(
    ' ',
  ),
)
/** Elements that say what they are, also without a text of their own. */
const telling = new Set(
  'a button input select textarea img picture video h1 h2 h3 h4 h5 h6 nav main header footer aside section article form table ul ol dialog details summary figure'.split(
    ' ',
  ),
)
const filledIn = new Set(['input', 'textarea', 'select'])

interface Listed {
  element: Element
  depth: number
}

/**
 * What a person sees of a page, for an assistant that writes changes: one line an element, indented, with its text and a
 * selector. It never contains what was typed into a form. If it would be too long, the deepest levels are left out, and the
 * last line says so.
 *
 * @param nowMs a time in milliseconds that never goes back; after 2 s the levels that are still missing are left out
 */
export function outlineOf(document: Document, nowMs: () => number, maxBytes = maxOutlineBytes): string {
  const endMs = nowMs() + limitMs
  const listed: Listed[] = []
  if (document.body) list(document.body, 0, listed)
  const lines = new Map<Listed, string>()
  const levels = Math.max(-1, ...listed.map(({ depth }) => depth))
  const head = `${oneLine(document.title, maxTextLength)}\n`
  // The note about what is missing has room in every case.
  let left = maxBytes - bytesOf(head) - 200
  let shown = 0
  for (let depth = 0; depth <= levels; depth += 1) {
    const level = listed.filter((each) => each.depth === depth)
    const texts: [Listed, string][] = []
    let bytes = 0
    for (const each of level) {
      if (nowMs() > endMs || bytes > left) break
      const line = `${lineOf(each)}\n`
      bytes += bytesOf(line)
      texts.push([each, line])
    }
    if (texts.length < level.length || bytes > left) break
    left -= bytes
    shown = depth + 1
    for (const [each, line] of texts) lines.set(each, line)
  }
  const missing = listed.length - lines.size
  const note =
    missing > 0
      ? `(${missing} ${missing === 1 ? 'element' : 'elements'} below level ${shown} ${missing === 1 ? 'is' : 'are'} left out, because the outline would be too long)\n`
      : ''
  return head + listed.map((each) => lines.get(each) ?? '').join('') + note
}

function list(parent: Element, depth: number, listed: Listed[]): void {
  for (const element of parent.children) {
    if (listed.length >= maxElements) return
    if (leftOut.has(element.localName) || !isSeen(element)) continue
    const isListed = telling.has(element.localName) || element.id !== '' || ownText(element) !== ''
    if (isListed) listed.push({ element, depth })
    if (!isTyped(element)) list(element, depth + (isListed ? 1 : 0), listed)
  }
}

function isSeen(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true } as CheckVisibilityOptions)
}

const isTyped = (element: Element): boolean =>
  filledIn.has(element.localName) || (element as HTMLElement).isContentEditable === true

function lineOf({ element, depth }: Listed): string {
  const { selector, matches } = shortSelectorOf(element)
  const text = ownText(element)
  const said = text === '' ? '' : ` "${text}"`
  return `${'  '.repeat(Math.min(depth, 20))}${element.localName}${said} → ${selector} (${matches} ${matches === 1 ? 'match' : 'matches'})`
}

/** What an element itself says: its own texts, or the words that stand for them. Never a value. */
function ownText(element: Element): string {
  if (isTyped(element) || element.localName === 'img')
    return oneLine(
      ['aria-label', 'placeholder', 'alt', 'name', 'type'].map((name) => element.getAttribute(name)).find(Boolean) ??
        '',
      maxTextLength,
    )
  const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.nodeValue ?? '')
  return oneLine(texts.join(' '), maxTextLength)
}

function oneLine(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('"', '”').trim()
  return line.length > length ? `${line.slice(0, length)}…` : line
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
