export { type Importing, orderImport } from './orders/worker.ts'
export { catalogRemovalKind, removalInput } from './removal.ts'
export { sourceRoutes } from './routes.ts'
export { showRevision } from './sync/showing/actions.ts'
export { syncJobs } from './sync/worker.ts'
export {
  begin,
  holdWriting,
  type ItemSums,
  letGo,
  noChanges,
  type Writing,
} from './sync/writing/actions.ts'
