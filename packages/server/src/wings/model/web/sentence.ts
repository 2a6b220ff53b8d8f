import type { Change } from './changes.ts'
import { declarationsOf } from './css.ts'

/** How a sentence shows names of the page, such as selectors, and texts. */
export interface Wording {
  /** A selector, a property or another name of the code of a page. */
  code: (text: string) => string
  /** A text that visitors see, or the value of an attribute. */
  quote: (text: string) => string
  /** The name of a page. */
  name: (text: string) => string
}

const maxShown = 200
const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)

export const plainWording: Wording = {
  code: (text) => oneLine(text),
  quote: (text) => `“${cut(oneLine(text))}”`,
  name: (text) => oneLine(text),
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What to build in for a change, as one sentence. `page` is the name of its page; null is every page of the test. */
export function sentenceOf(change: Change, page: string | null, wording: Wording = plainWording): string {
  const place = page === null ? 'On every page' : `On ${wording.name(page)}`
  return `${place}, ${actions[change.type](change as never, wording)}.`
}

type Actions = { [Type in Change['type']]: (change: Extract<Change, { type: Type }>, wording: Wording) => string }

const actions: Actions = {
  TEXT: ({ selector, value, was }, { code, quote }) =>
    `change the text of ${code(selector)}${was === null ? '' : ` from ${quote(was)}`} to ${quote(value)}`,
  HTML: ({ id, selector }, { code }) => `replace the content of ${code(selector)} with the HTML of ${code(id)}`,
  ATTRIBUTE: ({ selector, name, value, was }, { code, quote }) =>
    value === null
      ? `remove the attribute ${code(name)} of ${code(selector)}`
      : `set the attribute ${code(name)} of ${code(selector)}${was === null ? '' : ` from ${quote(was)}`} to ${quote(value)}`,
  IMAGE: ({ selector, value, alt, was }, { code, quote }) =>
    `change the image of ${code(selector)}${was === null ? '' : ` from ${quote(was)}`} to ${quote(value)}${alt === null ? '' : `, with the alternative text ${quote(alt)}`}`,
  CLASS: ({ selector, add, remove }, { code }) =>
    listed([
      ...(add.length > 0 ? [`add ${classes(add, code)} to ${code(selector)}`] : []),
      ...(remove.length > 0 ? [`remove ${classes(remove, code)} from ${code(selector)}`] : []),
    ]),
  STYLE: (change, { code }) =>
    `set ${listed(declarationsOf(change).map(([property, value]) => `${code(property)} to ${code(cut(value))}`))} on ${code(change.selector)}`,
  HIDE: ({ selector, keepSpace }, { code }) => `hide ${code(selector)}${keepSpace ? ' and keep its space empty' : ''}`,
  INSERT: ({ id, selector, position }, { code }) =>
    `insert the HTML of ${code(id)} ${places[position]} ${code(selector)}`,
  MOVE: ({ selector, to, position }, { code }) => `move ${code(selector)} ${moved[position]} ${code(to)}`,
}

type Position = Extract<Change, { type: 'MOVE' }>['position']

const places: Record<Position, string> = {
  BEFORE: 'before',
  AFTER: 'after',
  FIRST: 'at the beginning of',
  LAST: 'at the end of',
}
const moved: Record<Position, string> = {
  ...places,
  FIRST: 'to the beginning of',
  LAST: 'to the end of',
}

const classes = (names: readonly string[], code: Wording['code']): string =>
  `the ${names.length === 1 ? 'class' : 'classes'} ${listed(names.map(code))}`

/** One, two and three */
function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}
