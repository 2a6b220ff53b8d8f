export { observeWorkers } from './metrics.ts'
export { findWorkers } from './queries.ts'
export { type Workers, workers } from './workers.ts'
