export { catalogRoutes } from './routes.ts'
export { catalogSweeps } from './worker.ts'
