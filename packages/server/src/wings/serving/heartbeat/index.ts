export { saveEvaluations } from './queries.ts'
export { clientRoutes, heartbeatRoutes, propagationRoutes } from './routes.ts'
export { confirmedFields, waitQuery } from './schema.ts'
export { type Confirmations, confirmations } from './worker.ts'
