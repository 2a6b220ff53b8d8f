export { membersAmong } from './queries.ts'
export { integrationRoutes } from './routes.ts'
export { type IntegrationContext, integrationWorker } from './worker.ts'
