import { type Data, nouns } from '@svc/client'
import type { Condition } from '@svc/core'
import { fieldOf, type ObjectNoun, plural } from './nouns.ts'
import { Problem, usage } from './problem.ts'
import type { Connection } from './service/connection.ts'

type Index = Data<'/api/v1/projects/{projectId}/index', 'get'>
/** Ids and short ids look like this too. The service finds the object with such a key. */
export const looksLikeKey = (called: string): boolean => /^[a-z0-9][a-z0-9._-]*$/.test(called)

/** What else names a metric, besides its name. */
const metricKeyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** The names and ids of what rules refer to. */
export interface ProjectNames {
  /**
   * The id of an object that a person names by id, short id or name, or the key that they have typed. Throws
   * `not_found`, `conflict` for a name of several, and `usage` for a name that the token may not look up.
   */
  idOf(kind: ObjectNoun, called: string): string
  /** The key of a metric that a person names by key, id or name. Rules name metrics by key. Throws `not_found`. */
  metricKeyOf(called: string): string
  /** The name of an id, or of the key of a metric; the same text if there is none. */
  nameOf(called: string): string
  /** The same condition with ids in place of what audiences and segments are called. */
  withIds(condition: Condition): Condition
}

/** Reads the names of a project, in one call. */
export async function readNames({ api }: Connection, projectId: string): Promise<ProjectNames> {
  const { data } = await api.GET('/api/v1/projects/{projectId}/index', { params: { path: { projectId } } })
  return namesIn(data!.data)
}

export function namesIn(index: Partial<Index>): ProjectNames {
  const listed = (kind: ObjectNoun): { id: string; name: string; shortId?: number; key?: string }[] =>
    index[fieldOf(kind)] ?? []
  const metrics = index.metrics ?? []
  const names = new Map([
    ...[...listed('audience'), ...listed('segment')].map(({ id, name }) => [id, name] as const),
    ...metrics.map(({ key, name }) => [key, name] as const),
  ])
  const metricKeyOf = (called: string): string => {
    const found =
      metrics.find(({ id, key }) => id === called || key === called) ?? metrics.find(({ name }) => name === called)
    if (found) return found.key
    if (metricKeyPattern.test(called)) return called
    throw new Problem('not_found', `Metric "${called}" was not found.`)
  }
  const idOf = (kind: ObjectNoun, called: string): string => {
    const all = listed(kind)
    const exact = all.find(({ id, shortId, key }) => id === called || String(shortId) === called || key === called)
    if (exact) return exact.id
    if (looksLikeKey(called)) return called
    if (index[fieldOf(kind)] === null)
      throw usage(`The token cannot read the names of ${plural(kind)}. Use a key instead of "${called}".`)
    const alike = all.filter(({ name }) => name === called)
    if (alike.length > 1)
      throw new Problem(
        'conflict',
        `Several ${plural(kind)} have the name "${called}". Use a key or a short id: ${alike.map(({ shortId, key }) => shortId ?? key).join(', ')}.`,
      )
    if (!alike[0]) throw new Problem('not_found', `${nouns[kind].label} "${called}" was not found.`)
    return alike[0].id
  }
  const withIds = (condition: Condition): Condition => {
    if ('all' in condition) return { all: condition.all.map(withIds) }
    if ('any' in condition) return { any: condition.any.map(withIds) }
    if ('not' in condition) return { not: withIds(condition.not) }
    if ('audience' in condition) return { audience: idOf('audience', condition.audience) }
    if ('segment' in condition) return { segment: idOf('segment', condition.segment) }
    return condition
  }
  return { idOf, metricKeyOf, withIds, nameOf: (called) => names.get(called) ?? called }
}
