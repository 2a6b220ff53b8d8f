const placeOf = (projectId: string, environment: string) => `svc.compared.${projectId}.${environment}`

/** With which environment this one was compared last, in this browser. */
export const keptOther = (projectId: string, environment: string): string | undefined =>
  localStorage.getItem(placeOf(projectId, environment)) ?? undefined

export const keepOther = (projectId: string, environment: string, other: string): void =>
  localStorage.setItem(placeOf(projectId, environment), other)
