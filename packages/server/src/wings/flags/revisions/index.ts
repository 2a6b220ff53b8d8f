export { type FlagAtRevision, flagsOfRevision, isKept, revisionAt } from './queries.ts'
export { revisionRoutes } from './routes.ts'
