export { ofrepRoutes } from './routes.ts'
export { exposures } from './worker.ts'
