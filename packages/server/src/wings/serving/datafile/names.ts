import type { Condition, Flag } from '@svc/core'
import type { Reference } from '../../model/versions/index.ts'

/**
 * The name of an audience or segment in a data file: its short id as a string. Files from before short ids name them,
 * and rules, by their ids. So do the fragments that past revisions keep from those files.
 */
export type NameOf = (kind: Reference['kind'], id: string) => string

/** Looks names up in the project's short ids by id. */
export const namesBy =
  (shortIds: Readonly<Record<string, number>>): NameOf =>
  (kind, id) => {
    const shortId = shortIds[id]
    if (shortId === undefined) throw new Error(`live version refers to the missing ${kind} ${id}`)
    return String(shortId)
  }

/** For fragments that are not part of a data file. */
export const byId: NameOf = (_kind, id) => id

/** Renames the audiences and segments in a condition. The rest stays the same. */
export function renamed(condition: Condition, nameOf: NameOf): Condition {
  if ('audience' in condition) return { audience: nameOf('audience', condition.audience) }
  if ('segment' in condition) return { segment: nameOf('segment', condition.segment) }
  if ('not' in condition) return { not: renamed(condition.not, nameOf) }
  if ('all' in condition) return { all: condition.all.map((child) => renamed(child, nameOf)) }
  if ('any' in condition) return { any: condition.any.map((child) => renamed(child, nameOf)) }
  return condition
}

/** The id for a name in a data file. Each kind has its own names. */
export type IdOf = (kind: Reference['kind'] | 'rule', name: string) => string

/** A flag of a data file in which rules, audiences and segments are named by their ids. */
export function withIds(flag: Flag, idOf: IdOf): Flag {
  const rules = flag.rules?.map((rule) => ({
    ...rule,
    id: idOf('rule', rule.id),
    ...(rule.when && { when: renamed(rule.when, idOf) }),
  }))
  return { ...flag, ...(rules && { rules }) }
}
