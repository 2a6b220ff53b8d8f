export { addBuiltInEnvironments } from './actions.ts'
export { type Environment, findEnvironment } from './queries.ts'
export { environmentRoutes } from './routes.ts'
export { differenceSchema, environmentParams } from './schema.ts'
