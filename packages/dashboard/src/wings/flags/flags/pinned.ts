/** Environments that can have a column of their own. */
export const pinnedMax = 4

const placeOf = (projectId: string) => `svc.columns.${projectId}`

/** The keys of the environments that were chosen for columns in this browser, if any were. */
export const keptColumns = (projectId: string): string[] | undefined =>
  localStorage.getItem(placeOf(projectId))?.split(' ')

export const keepColumns = (projectId: string, keys: readonly string[]): void =>
  localStorage.setItem(placeOf(projectId), keys.join(' '))

/** The environments with a column: the chosen ones in their order, or else the first. */
export const pinnedOf = <Each extends { key: string }>(
  environments: readonly Each[],
  chosen: readonly string[] | undefined,
): Each[] => (chosen ? environments.filter(({ key }) => chosen.includes(key)) : environments).slice(0, pinnedMax)
