export { observeWatching } from './metrics.ts'
export { type Watcher, watcher } from './worker.ts'
