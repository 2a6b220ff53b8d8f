export { sourceRoutes } from './routes.ts'
export { catalogImport, feedSync } from './sync/worker.ts'
