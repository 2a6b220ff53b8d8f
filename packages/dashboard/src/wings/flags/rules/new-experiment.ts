/** What the page of experiments opens to test this flag: keys have no colon. */
export const newExperimentPanel = (flag: string, environment: string): string => `create:${flag}:${environment}`
