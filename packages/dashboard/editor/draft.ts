import type { components } from '@svc/client'

/** One thing that a variation changes on a page, as the API has it. */
export type Change = components['schemas']['WebChange']
export type ChangeType = Change['type']
export type ChangeOf<Type extends ChangeType> = Extract<Change, { type: Type }>

/** What a variation does to pages, as it is edited here: its changes in their order, and its CSS. */
export interface Draft {
  changes: readonly Change[]
  css: string | null
}

/** What a change acts on. */
export interface Target {
  selector: string
  /** The key of a page of the experiment; null for all of its pages. */
  page: string | null
}

/** A change without what tells it from others. */
export type Wanted = { [Type in ChangeType]: Omit<ChangeOf<Type>, 'id'> }[ChangeType]

/** A new id: two people who edit at once must not give the same one. */
export const newId = (): string => `c-${crypto.randomUUID().slice(0, 8)}`

/** The change of a type that acts on this already; of an attribute, the one with this name. */
export function changeOn<Type extends ChangeType>(
  { changes }: Draft,
  { selector, page }: Target,
  type: Type,
  name?: string,
): ChangeOf<Type> | undefined {
  return changes.find(
    (change): change is ChangeOf<Type> =>
      change.type === type &&
      change.selector === selector &&
      change.page === page &&
      (change.type !== 'ATTRIBUTE' || change.name === name),
  )
}

/** The draft with this change in place of the one that does the same to the same element, or at its end. */
export function withChange(draft: Draft, wanted: Wanted, id: string): Draft {
  const name = wanted.type === 'ATTRIBUTE' ? wanted.name : undefined
  const known = wanted.type === 'INSERT' ? undefined : changeOn(draft, wanted, wanted.type, name)
  if (!known) return { ...draft, changes: [...draft.changes, { ...wanted, id } as Change] }
  const next = { ...wanted, id: known.id, was: known.was ?? wanted.was } as Change
  return { ...draft, changes: draft.changes.map((change) => (change === known ? next : change)) }
}

export const withoutChange = (draft: Draft, id: string | undefined): Draft => ({
  ...draft,
  changes: draft.changes.filter((change) => change.id !== id),
})

/** The draft with other fields of one change. */
export const withFields = (draft: Draft, id: string, fields: Partial<Change>): Draft => ({
  ...draft,
  changes: draft.changes.map((change) => (change.id === id ? ({ ...change, ...fields } as Change) : change)),
})

/** The draft with one change before the one that stood before it, or after the one that stood after it. */
export function reordered(draft: Draft, id: string, by: -1 | 1): Draft {
  const changes = [...draft.changes]
  const at = changes.findIndex((change) => change.id === id)
  const other = at + by
  if (at < 0 || !changes[other]) return draft
  ;[changes[at], changes[other]] = [changes[other]!, changes[at]!]
  return { ...draft, changes }
}

/** The text of an element. The text that the page has anyway is no change. */
export function withText(draft: Draft, target: Target, value: string, was: string): Draft {
  const known = changeOn(draft, target, 'TEXT')
  if (value === (known?.was ?? was)) return withoutChange(draft, known?.id)
  return withChange(draft, { type: 'TEXT', ...target, was, value }, newId())
}

/** One property of the style of an element; an empty value ends it. */
export function withStyle(draft: Draft, target: Target, property: string, value: string): Draft {
  const known = changeOn(draft, target, 'STYLE')
  const { [property]: _before, ...others } = known?.value ?? {}
  const style = value.trim() === '' ? others : { ...known?.value, [property]: value }
  if (Object.keys(style).length === 0) return withoutChange(draft, known?.id)
  return withChange(draft, { type: 'STYLE', ...target, was: null, value: style }, newId())
}

/** Classes that are added and removed, each as a text with spaces between names. */
export function withClasses(draft: Draft, target: Target, { add, remove }: { add: string; remove: string }): Draft {
  const [added, removed] = [add, remove].map((names) => [...new Set(names.split(/\s+/).filter(Boolean))])
  const known = changeOn(draft, target, 'CLASS')
  if (added!.length + removed!.length === 0) return withoutChange(draft, known?.id)
  return withChange(draft, { type: 'CLASS', ...target, was: null, add: added!, remove: removed! }, newId())
}

/** Hides an element, or shows it again. */
export function withHidden(draft: Draft, target: Target, hidden: { keepSpace: boolean } | null): Draft {
  if (!hidden) return withoutChange(draft, changeOn(draft, target, 'HIDE')?.id)
  return withChange(draft, { type: 'HIDE', ...target, was: null, ...hidden }, newId())
}
