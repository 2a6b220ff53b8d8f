/** Computes results. Its library takes 0.1 s to load, so it loads when it is first needed and not at the start. */
export const loadEngine = () => import('./engine.ts')
