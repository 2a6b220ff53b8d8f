import type { Change, ChangeOf, ChangeType, Draft } from './draft.ts'

const maxShown = 80

/** What a change does, as one sentence. */
export const sentenceOf = (change: Change): string => `${actions[change.type](change as never)}.`

/** What one step from a draft to the next did, as a sentence. */
export function stepOf(before: Draft, after: Draft): string {
  const known = new Map(before.changes.map((change) => [change.id, JSON.stringify(change)]))
  const made = after.changes.find((change) => known.get(change.id) !== JSON.stringify(change))
  if (made) return sentenceOf(made)
  const gone = before.changes.find(({ id }) => !after.changes.some((change) => change.id === id))
  if (gone) return `Removed: ${sentenceOf(gone)}`
  return before.css === after.css ? 'The order of the changes.' : 'The CSS of the variation.'
}

/** An element as a person knows it: its tag and its text. */
export const elementOf = (tag: string, text: string): string => (text === '' ? tag : `${tag} ${quoted(text)}`)

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
