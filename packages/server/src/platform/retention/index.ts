export { observeRetention } from './metrics.ts'
export type { Sweep } from './sweep.ts'
export { type Retention, retention } from './worker.ts'
