export { liveRoutes } from './routes.ts'
export { liveChanges } from './worker.ts'
