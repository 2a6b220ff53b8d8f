export { tellCodeError, type Watching } from './actions.ts'
export { observeWatching } from './metrics.ts'
export { type Watcher, type WatchObserver, watcher } from './worker.ts'
