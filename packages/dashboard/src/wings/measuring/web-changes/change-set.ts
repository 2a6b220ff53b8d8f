import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import type { WebChange } from '../../../ui/changes/web-change-sentence.ts'
import { type Versioned, versioned } from '../../../versioned.ts'
import { type ExperimentOnPages, onePath } from '../experiments/experiment.ts'

export const changesPath = `${onePath}/variations/{variationKey}/changes` as const
export const codePath = `${onePath}/variations/{variationKey}/code` as const
export const handOffPath = `${onePath}/variations/{variationKey}/hand-off` as const

/** All that a variation changes on pages. */
export interface ChangeSet {
  /** In the order in which they are applied. */
  changes: WebChange[]
  css: string | null
}

/** A variation of a web experiment, for calls about it. */
export interface VariationPath {
  projectId: string
  experimentId: string
  variationKey: string
}

export const keyOfChanges = (path: VariationPath) => ['get', changesPath, { params: { path } }]

export const readChanges = async (path: VariationPath, signal?: AbortSignal): Promise<Versioned<ChangeSet>> =>
  versioned(await api.GET(changesPath, { params: { path }, ...(signal && { signal }) }))

/** What a variation changes as drafted; once the experiment is completed, what ran. */
export const changesOptions = (path: VariationPath) =>
  queryOptions({
    queryKey: keyOfChanges(path),
    queryFn: ({ signal }) => readChanges(path, signal),
    retry: false,
  })

/** What a save of this set would change and what to look at in it, without saving. */
export async function checkSet(path: VariationPath, { changes, css }: ChangeSet, signal?: AbortSignal) {
  const params = { path, header: onlyOnce() }
  const body = { changes, css, dryRun: true } as never
  const { data } = (await api.PUT(changesPath, { params, body, ...(signal && { signal }) })).data!
  return { differences: data.differences, warnings: data.warnings.map(({ message }) => message) }
}

export const useChanges = (path: VariationPath) => useQuery(changesOptions(path))

export type Page = NonNullable<ExperimentOnPages['pages']>[number]

/** The name of a page, for a sentence; null for every page. */
export const pageName = (key: string | null, pages: readonly Pick<Page, 'key' | 'name'>[]): string | null =>
  key === null ? null : (pages.find((page) => page.key === key)?.name ?? key)

/** The set with a change in its place; a new one comes last. Without the change, the set is left as it is. */
export function withChange(set: ChangeSet, id: string, change: WebChange | null): ChangeSet {
  if (change === null) return { ...set, changes: set.changes.filter((each) => each.id !== id) }
  const isThere = set.changes.some((each) => each.id === id)
  return {
    ...set,
    changes: isThere ? set.changes.map((each) => (each.id === id ? change : each)) : [...set.changes, change],
  }
}

/** The set with the change at `from` at another place. */
export function moved(set: ChangeSet, from: number, to: number): ChangeSet {
  const changes = [...set.changes]
  changes.splice(to, 0, ...changes.splice(from, 1))
  return { ...set, changes }
}
