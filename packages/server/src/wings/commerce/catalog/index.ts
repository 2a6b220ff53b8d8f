export { catalogRemoval } from './removing/actions.ts'
export { catalogRestore } from './restoring/actions.ts'
export { catalogRoutes } from './routes.ts'
export { catalogSweeps } from './worker.ts'
