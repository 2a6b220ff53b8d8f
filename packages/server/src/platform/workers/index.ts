export { observeWorkers } from './metrics.ts'
export { type Workers, workers } from './workers.ts'
