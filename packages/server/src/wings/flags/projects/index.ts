export { createProject, deletedProjectSweep, inProject } from './actions.ts'
export { deletedEnvironmentSweep, environments } from './environments/actions.ts'
export { environmentQueries, unknownFlags } from './environments/queries.ts'
export { environmentRoutes } from './environments/routes.ts'
export { environmentParams } from './environments/schema.ts'
export { keyFor } from './key.ts'
export { idsOfNames, withIds } from './names/queries.ts'
export { projectNoun } from './nouns/actions.ts'
export { projectNounRoutes } from './nouns/routes.ts'
export {
  findProject,
  findProjectByName,
  givingShortIds,
  listProjects,
  lockProject,
  nextFlagShortId,
  type Project,
  type ProjectType,
  shareProject,
} from './queries.ts'
export { projectRoutes } from './routes.ts'
export { projectParams } from './schema.ts'
