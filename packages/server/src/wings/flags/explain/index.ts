export { explainEvaluation } from './actions.ts'
export { explainRoutes } from './routes.ts'
export { contextField, explainedFlagSchema } from './schema.ts'
