export { createProject, deletedProjectSweep, inProject } from './actions.ts'
export { deletedEnvironmentSweep, environments } from './environments/actions.ts'
export { environmentQueries, experimentsToo, findTypedEnvironment, unknownFlags } from './environments/queries.ts'
export { environmentRoutes } from './environments/routes.ts'
export { environmentParams } from './environments/schema.ts'
export { keyFor } from './key.ts'
export { missingOf } from './names/actions.ts'
export { idsOfNames, withIds } from './names/queries.ts'
export { projectNoun } from './nouns/actions.ts'
export { projectNounRoutes } from './nouns/routes.ts'
export type { ProjectType } from './project-type.ts'
export {
  deletedProjectChannel,
  findProject,
  findProjectByName,
  findProjectType,
  givingShortIds,
  listProjects,
  lockProject,
  nextFlagShortId,
  type Project,
  shareProject,
} from './queries.ts'
export { projectRoutes } from './routes.ts'
export { projectParams } from './schema.ts'
export { webSettingsRoutes } from './web-settings/routes.ts'
