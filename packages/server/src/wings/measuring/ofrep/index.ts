export { exposures } from './exposures.ts'
export { ofrepRoutes } from './routes.ts'
