const and = new Intl.ListFormat('en', { type: 'conjunction' })
// As the sentences of conditions read: British English has no comma before the “or”.
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** "Ada, Bo, and Cy". More than `max` items end with "3 more". */
export const allOf = (items: readonly string[], max = Number.POSITIVE_INFINITY): string => and.format(cut(items, max))

/** "Ada, Bo or Cy". */
export const oneOf = (items: readonly string[], max = Number.POSITIVE_INFINITY): string => or.format(cut(items, max))

/** `counted(2, 'rule')` is "2 rules", `counted(1, 'entry', 'entries')` is "1 entry". Thousands have commas. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** "an audience", "a rule". */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

/** "Exclusion group", at the beginning of a sentence or a title. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The same set with or without the item. */
export function including<Item>(set: ReadonlySet<Item>, item: Item, isIn: boolean): ReadonlySet<Item> {
  const next = new Set(set)
  if (isIn) next.add(item)
  else next.delete(item)
  return next
}

function cut(items: readonly string[], max: number): string[] {
  if (items.length <= max) return [...items]
  return [...items.slice(0, max), `${(items.length - max).toLocaleString('en')} more`]
}
