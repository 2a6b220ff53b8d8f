import type { ProjectIndex } from '../../../shell/index-query.ts'

/** The flags that are paused in an environment, by key. Archived ones cannot be run. */
export function pausedIn(index: ProjectIndex | undefined, envId: string): ReadonlySet<string> {
  const at = index?.environments?.findIndex(({ id }) => id === envId) ?? -1
  const flags = at < 0 ? [] : (index?.flags ?? [])
  return new Set(
    flags.flatMap(({ key, status, states }) => (status === 'ARCHIVED' || states[at]?.running ? [] : [key])),
  )
}

/** How many changes wait for the next publish of an environment: of one flag, or of all. */
export function unpublishedIn(index: ProjectIndex | undefined, envId: string, flagKey?: string): number {
  const at = index?.environments?.findIndex(({ id }) => id === envId) ?? -1
  return (index?.flags ?? [])
    .filter(({ key }) => flagKey === undefined || key === flagKey)
    .reduce((sum, { states }) => sum + (states[at]?.unpublished ?? 0), 0)
}
