import type { Condition, Flag } from '@svc/core'
import type { Reference } from '../../model/versions/index.ts'

/**
 * What a data file calls an audience or a segment: its short id as text. Files of before there were short ids call them,
 * and rules, by their ids, and so do the pieces of those files that past revisions keep.
 */
export type NameOf = (kind: Reference['kind'], id: string) => string

/** Of what the project has: short ids by id. */
export const namesBy =
  (shortIds: Readonly<Record<string, number>>): NameOf =>
  (kind, id) => {
    const shortId = shortIds[id]
    if (shortId === undefined) throw new Error(`live version refers to the missing ${kind} ${id}`)
    return String(shortId)
  }

/** For what leaves the service in no data file. */
export const byId: NameOf = (_kind, id) => id

/** What conditions call audiences and segments; everything else in them stays. */
export function renamed(condition: Condition, nameOf: NameOf): Condition {
  if ('audience' in condition) return { audience: nameOf('audience', condition.audience) }
  if ('segment' in condition) return { segment: nameOf('segment', condition.segment) }
  if ('not' in condition) return { not: renamed(condition.not, nameOf) }
  if ('all' in condition) return { all: condition.all.map((child) => renamed(child, nameOf)) }
  if ('any' in condition) return { any: condition.any.map((child) => renamed(child, nameOf)) }
  return condition
}

/** What a rule of a data file calls what it names, with the kinds apart. */
export type IdOf = (kind: Reference['kind'] | 'rule', name: string) => string

/** A piece of a data file that calls everything by its id. */
export function withIds(flag: Flag, idOf: IdOf): Flag {
  const rules = flag.rules?.map((rule) => ({
    ...rule,
    id: idOf('rule', rule.id),
    ...(rule.when && { when: renamed(rule.when, idOf) }),
  }))
  return { ...flag, ...(rules && { rules }) }
}
