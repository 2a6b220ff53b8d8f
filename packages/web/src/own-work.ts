import type { ServedChange } from './document.ts'

type Setting = { selector: string } & (
  | Pick<Extract<ServedChange, { type: 'ATTRIBUTE' }>, 'type' | 'name'>
  | Pick<Extract<ServedChange, { type: 'IMAGE' }>, 'type'>
  | Pick<Extract<ServedChange, { type: 'CLASS' }>, 'type' | 'add' | 'remove'>
  | { type: Exclude<ServedChange['type'], 'ATTRIBUTE' | 'IMAGE' | 'CLASS'> }
)

/**
 * Whether a change sets what its own selector reads, such as the address of `a[href="/old"]`. Its selector does not find
 * the element any more once the change acts, so without this the change would take itself back.
 */
export function setsWhatItReads(change: Setting): boolean {
  const selector = change.selector.replaceAll('\\', '')
  if (change.type === 'ATTRIBUTE') return readsAttribute(selector, change.name)
  if (change.type === 'IMAGE') return ['src', 'srcset', 'alt'].some((name) => readsAttribute(selector, name))
  if (change.type === 'TEXT' || change.type === 'INSERT') return /:empty(?![\w-])/.test(selector)
  if (change.type !== 'CLASS') return false
  return (
    has(selector, '[', 'class') ||
    change.remove.some((name) => readsClass(selector, name)) ||
    (selector.includes(':not(') && change.add.some((name) => readsClass(selector, name)))
  )
}

/** A change as it is served, with its mark if it sets what its own selector reads. */
export const marked = <Change extends Setting>(change: Change): Change & { own?: true } =>
  setsWhatItReads(change) ? { ...change, own: true } : change

const short: Record<string, string> = { class: '.', id: '#' }

/** Pseudo-classes that read an attribute. */
const statesOf = new Map([
  ['href', ['link', 'any-link', 'visited', 'target']],
  ['disabled', ['disabled', 'enabled', 'read-only', 'read-write']],
  ['readonly', ['read-only', 'read-write']],
  ['required', ['required', 'optional']],
  ['checked', ['checked', 'default', 'indeterminate']],
  ['placeholder', ['placeholder-shown']],
  ['open', ['open']],
  ['type', ['read-only', 'read-write', 'checked', 'in-range', 'out-of-range']],
  ['value', ['valid', 'invalid', 'in-range', 'out-of-range']],
])

function readsAttribute(selector: string, name: string): boolean {
  const mark = short[name.toLowerCase()]
  const states = statesOf.get(name.toLowerCase()) ?? []
  return (
    has(selector, '[', name) ||
    (mark !== undefined && selector.includes(mark)) ||
    states.some((state) => has(selector, ':', state))
  )
}

const readsClass = (selector: string, name: string): boolean => has(selector, '.', name)

/** Whether a name stands behind a mark, and not only its beginning. */
const has = (selector: string, mark: string, name: string): boolean =>
  new RegExp(`\\${mark}\\s*${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'i').test(selector)
