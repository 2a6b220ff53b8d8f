export { membersAmong } from './queries.ts'
export { integrationRoutes } from './routes.ts'
export { integrationWorker } from './worker.ts'
