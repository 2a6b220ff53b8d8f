import type { components } from '@svc/client'

/** One thing that a variation changes on pages. */
export type WebChange = components['schemas']['WebChange']
export type WebChangeType = WebChange['type']

/** A piece of a sentence: words, a name of the code of a page such as a selector, or a text that visitors see. */
export type Piece = string | { code: string } | { quote: string }

/**
 * What a change does, as one sentence: "On Pricing, change the text of h1 from “Our plans” to “From € 9 a month”." It has
 * the words of the hand-off. `page` is the name of its page; null is every page of the experiment.
 */
export function changePieces(change: WebChange, page: string | null): Piece[] {
  const actions = pieces[change.type](change as never)
  return [page === null ? 'On every page' : `On ${oneLine(page)}`, ', ', ...actions, '.']
}

/** The sentence as one text. Long texts are cut. */
export const changeText = (change: WebChange, page: string | null): string =>
  changePieces(change, page)
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return 'code' in piece ? piece.code : `“${piece.quote}”`
    })
    .join('')

/** "text of h1": what a change is about, in a few words. */
export const changeSubject = (change: WebChange): string => `${subjects[change.type]} ${oneLine(change.selector)}`

const subjects: Record<WebChangeType, string> = {
  TEXT: 'text of',
  HTML: 'content of',
  ATTRIBUTE: 'attribute of',
  IMAGE: 'image of',
  CLASS: 'classes of',
  STYLE: 'style of',
  HIDE: 'hidden',
  INSERT: 'HTML at',
  MOVE: 'place of',
}

const maxShown = 200
const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
const code = (text: string): Piece => ({ code: oneLine(text) })
const quote = (text: string): Piece => ({ quote: cut(oneLine(text)) })
const from = (was: string | null): Piece[] => (was === null ? [] : [' from ', quote(was)])

type Pieces = { [Type in WebChangeType]: (change: Extract<WebChange, { type: Type }>) => Piece[] }

const pieces: Pieces = {
  TEXT: ({ selector, value, was }) => ['change the text of ', code(selector), ...from(was), ' to ', quote(value)],
  HTML: ({ id, selector }) => ['replace the content of ', code(selector), ' with the HTML of ', code(id)],
  ATTRIBUTE: ({ selector, name, value, was }) =>
    value === null
      ? ['remove the attribute ', code(name), ' of ', code(selector)]
      : ['set the attribute ', code(name), ' of ', code(selector), ...from(was), ' to ', quote(value)],
  IMAGE: ({ selector, value, alt, was }) => [
    ...['change the image of ', code(selector), ...from(was), ' to ', quote(value)],
    ...(alt === null ? [] : [', with the alternative text ', quote(alt)]),
  ],
  CLASS: ({ selector, add, remove }) =>
    listed([
      ...(add.length > 0 ? [['add ', ...classes(add), ' to ', code(selector)]] : []),
      ...(remove.length > 0 ? [['remove ', ...classes(remove), ' from ', code(selector)]] : []),
    ]),
  STYLE: ({ selector, value }) => [
    'set ',
    ...listed(Object.entries(value).map(([property, each]) => [code(property), ' to ', code(cut(each.trim()))])),
    ' on ',
    code(selector),
  ],
  HIDE: ({ selector, keepSpace }) => ['hide ', code(selector), ...(keepSpace ? [' and keep its space empty'] : [])],
  INSERT: ({ id, selector, position }) => [
    ...['insert the HTML of ', code(id), ` ${places[position]} `, code(selector)],
  ],
  MOVE: ({ selector, to, position }) => ['move ', code(selector), ` ${moved[position]} `, code(to)],
}

const places = { BEFORE: 'before', AFTER: 'after', FIRST: 'at the beginning of', LAST: 'at the end of' } as const
const moved = { ...places, FIRST: 'to the beginning of', LAST: 'to the end of' } as const

const classes = (names: readonly string[]): Piece[] => [
  `the ${names.length === 1 ? 'class' : 'classes'} `,
  ...listed(names.map((name) => [code(name)])),
]

/** One, two and three */
const listed = (parts: readonly Piece[][]): Piece[] =>
  parts.flatMap((part, at) => [...(at === 0 ? [] : [at === parts.length - 1 ? ' and ' : ', ']), ...part])
