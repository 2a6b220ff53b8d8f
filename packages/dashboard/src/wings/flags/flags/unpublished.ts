import type { ProjectIndex } from '../../../shell/index-query.ts'

/** How many changes wait for the next publish of an environment: of one flag, or of all. */
export function unpublishedIn(index: ProjectIndex | undefined, envId: string, flagKey?: string): number {
  const at = index?.environments?.findIndex(({ id }) => id === envId) ?? -1
  return (index?.flags ?? [])
    .filter(({ key }) => flagKey === undefined || key === flagKey)
    .reduce((sum, { states }) => sum + (states[at]?.unpublished ?? 0), 0)
}
