import type { Change, ChangeOf, ChangeType } from './draft.ts'

const maxShown = 80

/** What a change does, as one sentence. */
export const sentenceOf = (change: Change): string => `${actions[change.type](change as never)}.`

const quoted = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return `“${line.length > maxShown ? `${line.slice(0, maxShown)}…` : line}”`
}
const from = (was: string | null): string => (was === null || was === '' ? '' : ` from ${quoted(was)}`)

const actions: { [Type in ChangeType]: (change: ChangeOf<Type>) => string } = {
  TEXT: ({ selector, value, was }) => `Change the text of ${selector}${from(was)} to ${quoted(value)}`,
  HTML: ({ selector }) => `Replace the content of ${selector}`,
  ATTRIBUTE: ({ selector, name, value, was }) =>
    value === null
      ? `Remove the attribute ${name} of ${selector}`
      : `Set the attribute ${name} of ${selector}${from(was)} to ${quoted(value)}`,
  IMAGE: ({ selector, value }) => `Change the image of ${selector} to ${quoted(value)}`,
  CLASS: ({ selector, add, remove }) =>
    [
      ...(add.length > 0 ? [`add ${add.join(', ')} to the classes of ${selector}`] : []),
      ...(remove.length > 0 ? [`remove ${remove.join(', ')} from the classes of ${selector}`] : []),
    ]
      .join(' and ')
      .replace(/^./, (first) => first.toUpperCase()),
  STYLE: ({ selector, value }) =>
    `Set ${Object.entries(value)
      .map(([property, each]) => `${property} to ${each}`)
      .join(', ')} on ${selector}`,
  HIDE: ({ selector, keepSpace }) => `Hide ${selector}${keepSpace ? ' and keep its space empty' : ''}`,
  INSERT: ({ selector, position }) => `Insert HTML ${places[position]} ${selector}`,
  MOVE: ({ selector, to, position }) => `Move ${selector} ${places[position]} ${to}`,
}

export const places = {
  BEFORE: 'before',
  AFTER: 'after',
  FIRST: 'at the beginning of',
  LAST: 'at the end of',
} as const
