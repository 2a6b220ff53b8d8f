export { type FlagAtRevision, flagsOfRevision, isKept, revisionAt, type ServedName, servedNames } from './queries.ts'
export { revisionRoutes } from './routes.ts'
