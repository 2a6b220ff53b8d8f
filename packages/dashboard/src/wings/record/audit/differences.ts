import { isCondition } from '../../../ui/conditions/conditions.ts'

export interface Difference {
  /** Names of fields, and names of the objects in lists. */
  path: string[]
  kind: 'ADDED' | 'REMOVED' | 'CHANGED'
  before?: unknown
  after?: unknown
}

/**
 * The fields that differ between the two states of an audit entry. A created object has no state before, a deleted one
 * none after. Lists of words show each word added or removed. Lists of objects are compared by their ids or keys.
 */
export function differences(before: unknown, after: unknown, path: string[] = []): Difference[] {
  // A condition reads as one sentence.
  if ([before, after].some(isCondition)) return inValue(before, after, path)
  if (isFields(before, after)) return inFields(before ?? {}, after ?? {}, path)
  if (isThings(before, after)) return inThings(before ?? [], after ?? [], path)
  if (isWords(before, after)) return inWords(before, after, path)
  return inValue(before, after, path)
}

type Fields = Record<string, unknown>
type Things = ({ id: string } | { key: string })[]

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `{ id, name }` refers to another object and counts as one value. */
export const isReference = (value: unknown): value is { id: string; name: string } =>
  isObject(value) && Object.keys(value).sort().join() === 'id,name'

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined

/** Whether at least one state exists, and each that exists is of this kind. */
const both = (before: unknown, after: unknown, is: (value: unknown) => boolean): boolean =>
  [before, after].every((value) => isNothing(value) || is(value)) && !(isNothing(before) && isNothing(after))

const isFields = (before: unknown, after: unknown): before is Fields =>
  both(before, after, (value) => isObject(value) && !isReference(value)) &&
  [before, after].some((value) => isObject(value) && Object.keys(value).length > 0)

const isThing = (value: unknown) => isObject(value) && (typeof value.key === 'string' || typeof value.id === 'string')

const isThings = (before: unknown, after: unknown): before is Things =>
  both(before, after, (value) => Array.isArray(value) && value.every(isThing)) &&
  [before, after].some((value) => Array.isArray(value) && value.length > 0)

const isWord = (value: unknown) => typeof value === 'string' || typeof value === 'number'

const isWords = (before: unknown, after: unknown): before is unknown[] =>
  [before, after].every((value) => Array.isArray(value) && value.every(isWord))

function inFields(before: Fields, after: unknown, path: string[]): Difference[] {
  const next = after as Fields
  const names = [...new Set([...Object.keys(before), ...Object.keys(next)])]
  return names.flatMap((name) => differences(before[name], next[name], [...path, name]))
}

const idOf = (thing: Fields) => String(thing.id ?? thing.key)
const nameOf = (thing: Fields) => String(thing.key ?? thing.name ?? thing.id)

function inThings(before: Fields[], after: unknown, path: string[]): Difference[] {
  const next = after as Fields[]
  const ids = [...new Set([...before, ...next].map(idOf))]
  return ids.flatMap((id) => {
    const [old, current] = [before, next].map((things) => things.find((thing) => idOf(thing) === id))
    const here = [...path, nameOf((current ?? old)!)]
    return old && current ? differences(old, current, here) : inValue(old, current, here)
  })
}

function inWords(before: unknown[], after: unknown, path: string[]): Difference[] {
  const next = after as unknown[]
  const found: Difference[] = [
    ...before.filter((word) => !next.includes(word)).map((word) => ({ path, kind: 'REMOVED' as const, before: word })),
    ...next.filter((word) => !before.includes(word)).map((word) => ({ path, kind: 'ADDED' as const, after: word })),
  ]
  // The same words in a different order.
  return found.length > 0 ? found : inValue(before, after, path)
}

function inValue(before: unknown, after: unknown, path: string[]): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (before === undefined) return isNothing(after) ? [] : [{ path, kind: 'ADDED', after }]
  if (after === undefined) return isNothing(before) ? [] : [{ path, kind: 'REMOVED', before }]
  return [{ path, kind: 'CHANGED', before, after }]
}
