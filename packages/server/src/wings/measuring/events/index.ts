export { databaseStore } from './actions.ts'
export { maxAgeMs } from './event.ts'
export { observeIngestion } from './metrics.ts'
export { eventRoutes } from './routes.ts'
export {
  type Batches,
  type EventKind,
  type EventStore,
  type Exposure,
  eventKinds,
  type NewEvent,
  type Rows,
  type TrackedEvent,
  type TrackedKeys,
} from './store.ts'
export { eventSweeps, gatheringInto, keepNames } from './worker.ts'
