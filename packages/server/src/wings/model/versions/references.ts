import type { Condition } from '@svc/core'
import type { Issue } from '../../../catalogue/refusals.ts'
import type { Version } from './version.ts'

/** A reference from a condition to an audience or segment, and where it is. */
export interface Reference {
  kind: 'audience' | 'segment'
  id: string
  path: PropertyKey[]
}

/** The references in a tree of conditions. `path` is the path of the tree itself. */
export function conditionReferences(condition: Condition, path: PropertyKey[] = []): Reference[] {
  const inside = (children: Condition[], list: 'all' | 'any') =>
    children.flatMap((child, index) => conditionReferences(child, [...path, list, index]))
  if ('audience' in condition) return [{ kind: 'audience', id: condition.audience, path: [...path, 'audience'] }]
  if ('segment' in condition) return [{ kind: 'segment', id: condition.segment, path: [...path, 'segment'] }]
  if ('not' in condition) return conditionReferences(condition.not, [...path, 'not'])
  if ('all' in condition) return inside(condition.all, 'all')
  return 'any' in condition ? inside(condition.any, 'any') : []
}

/** The references of a rule in the form of the API. */
export function ruleReferences({
  audienceIds,
  conditions,
}: {
  audienceIds: readonly string[]
  conditions: Condition
}): Reference[] {
  const named = audienceIds.map((id, index): Reference => ({ kind: 'audience', id, path: ['audienceIds', index] }))
  return [...named, ...conditionReferences(conditions, ['conditions'])]
}

/** An issue for each reference to an audience or segment that the project does not have. */
export const unknownReferences = (references: readonly Reference[], known: ReadonlySet<string>): Issue[] =>
  references
    .filter(({ id }) => !known.has(id))
    .map(({ kind, id, path }) => ({ path, message: `This project has no ${kind} ${called(id)}.` }))

/** An id or a key. Anything else can be of any length. */
const called = (id: string): string => (/^[\w.-]{1,128}$/.test(id) ? id : 'with this id')

/** Whether the rules of two versions refer to the same audiences and segments. */
export function namesSame(one: Version, other: Version): boolean {
  if (one === other) return true
  const namedIn = ({ rules }: Version) => new Set(rules.flatMap(ruleReferences).map(({ id }) => id))
  return namedIn(one).symmetricDifference(namedIn(other)).size === 0
}
