import type { WebChange, WebChangeType } from '../../../ui/changes/web-change-sentence.ts'

export type Position = Extract<WebChange, { type: 'MOVE' }>['position']

/** The fields of the form of a change. Each type uses some of them. */
export type ChangeValues = {
  type: WebChangeType
  /** Empty for every page. */
  page: string
  selector: string
  /** A text, HTML, an address, or the value of an attribute. */
  value: string
  /** Of an attribute. */
  name: string
  /** The attribute is removed, not set. */
  removes: boolean
  alt: string
  setsAlt: boolean
  add: string[]
  remove: string[]
  style: { property: string; value: string }[]
  keepSpace: boolean
  to: string
  position: Position
  was: string
  /** The change as it was when the form began; null for a new one. */
  base: WebChange | null
}

export const newChange: ChangeValues = {
  ...{ type: 'TEXT', page: '', selector: '', value: '', name: '', removes: false, alt: '', setsAlt: false },
  ...{ add: [], remove: [], style: [{ property: '', value: '' }], keepSpace: false, to: '', position: 'AFTER' },
  ...{ was: '', base: null },
}

export function valuesOf(change: WebChange): ChangeValues {
  const shared = {
    ...newChange,
    ...{ type: change.type, page: change.page ?? '', selector: change.selector, was: change.was ?? '', base: change },
  }
  switch (change.type) {
    case 'TEXT':
    case 'HTML':
      return { ...shared, value: change.value }
    case 'ATTRIBUTE':
      return { ...shared, name: change.name, value: change.value ?? '', removes: change.value === null }
    case 'IMAGE':
      return { ...shared, value: change.value, alt: change.alt ?? '', setsAlt: change.alt !== null }
    case 'CLASS':
      return { ...shared, add: change.add, remove: change.remove }
    case 'STYLE':
      return { ...shared, style: Object.entries(change.value).map(([property, value]) => ({ property, value })) }
    case 'HIDE':
      return { ...shared, keepSpace: change.keepSpace }
    case 'INSERT':
      return { ...shared, value: change.value, position: change.position }
    case 'MOVE':
      return { ...shared, to: change.to, position: change.position }
  }
}

/** The change that the fields describe. */
export function changeOf(values: ChangeValues, id: string): WebChange {
  const { type, page, selector, value, was } = values
  const shared = { id, page: page || null, selector: selector.trim(), was: was === '' ? null : was }
  switch (type) {
    case 'TEXT':
    case 'HTML':
      return { ...shared, type, value }
    case 'ATTRIBUTE':
      return { ...shared, type, name: values.name.trim(), value: values.removes ? null : value }
    case 'IMAGE':
      return { ...shared, type, value: value.trim(), alt: values.setsAlt ? values.alt : null }
    case 'CLASS':
      return { ...shared, type, add: values.add, remove: values.remove }
    case 'STYLE':
      return { ...shared, type, value: Object.fromEntries(declarationsIn(values)) }
    case 'HIDE':
      return { ...shared, type, keepSpace: values.keepSpace }
    case 'INSERT':
      return { ...shared, type, value, position: values.position }
    case 'MOVE':
      return { ...shared, type, to: values.to.trim(), position: values.position }
  }
}

const declarationsIn = ({ style }: ChangeValues) =>
  style
    .map(({ property, value }) => [property.trim(), value.trim()] as const)
    .filter(([property, value]) => property !== '' || value !== '')

/** The input that an issue is about. `at` is the place of the change in the set that was sent. */
export function inputOf(path: readonly PropertyKey[], values: ChangeValues, at: number): string | undefined {
  const [list, place, field, part] = path
  if (list !== 'changes' || Number(place) !== at || typeof field !== 'string') return undefined
  if (field === 'id') return undefined
  if (values.type !== 'STYLE' || field !== 'value') return field
  const row = values.style.findIndex(({ property }) => property.trim() === part)
  return row < 0 ? 'style' : `style.${row}.value`
}

/** Two declarations of one property would be one. */
export function repeatedProperties({ type, style }: ChangeValues): Record<string, string> {
  if (type !== 'STYLE') return {}
  const names = style.map(({ property }) => property.trim())
  return Object.fromEntries(
    names.flatMap((name, at) =>
      name !== '' && names.indexOf(name) < at ? [[`style.${at}.property`, 'This property is there already.']] : [],
    ),
  )
}

/** An id that another person at the same set does not choose as well. */
export const newChangeId = (random: () => string): string => `c-${random().slice(0, 8)}`

interface TypeWords {
  label: string
  /** What it is for. */
  about: string
}

/** What each type of change is called, in the order in which people need them. */
export const typeWords: Record<WebChangeType, TypeWords> = {
  TEXT: { label: 'Text', about: 'Shows a different text.' },
  STYLE: { label: 'Style', about: 'Sets CSS properties, before the page is painted.' },
  HIDE: { label: 'Hide', about: 'Hides the element.' },
  IMAGE: { label: 'Image', about: 'Shows a different image.' },
  HTML: { label: 'HTML', about: 'Replaces what is inside the element.' },
  INSERT: { label: 'Insert', about: 'Adds HTML beside the element or inside it.' },
  MOVE: { label: 'Move', about: 'Takes the element to a different place.' },
  ATTRIBUTE: { label: 'Attribute', about: 'Sets or removes an attribute, such as the address of a link.' },
  CLASS: { label: 'Classes', about: 'Adds and removes classes, so that your own CSS does the rest.' },
}

/** Where something goes, beside the element or inside it. */
export const positionWords: Record<Position, string> = {
  BEFORE: 'Before it',
  AFTER: 'After it',
  FIRST: 'Inside, at the beginning',
  LAST: 'Inside, at the end',
}
