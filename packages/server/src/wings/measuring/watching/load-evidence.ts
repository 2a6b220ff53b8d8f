/** Finds where and since when a check fails. Like the engine of results, it loads when it is first needed. */
export const loadEvidence = () => import('./evidence.ts')
