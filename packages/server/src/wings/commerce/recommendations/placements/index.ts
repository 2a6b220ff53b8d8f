export type { NamedModels } from './actions.ts'
export { placementRoutes } from './routes.ts'
