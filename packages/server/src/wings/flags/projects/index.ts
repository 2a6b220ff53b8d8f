export { type AddBuiltInEnvironments, createProject } from './actions.ts'
export { findProject, findProjectByName, lockProject, type Project, shareProject } from './queries.ts'
export { projectRoutes } from './routes.ts'
export { projectParams } from './schema.ts'
