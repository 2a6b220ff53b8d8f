export { sourceRoutes } from './routes.ts'
export { feedSync } from './sync/worker.ts'
