export { addBuiltInEnvironments } from './actions.ts'
export { environmentRoutes } from './routes.ts'
