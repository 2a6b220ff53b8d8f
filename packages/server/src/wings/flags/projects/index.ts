export { createProject, deletedProjectSweep, inProject } from './actions.ts'
export { publish, publishWarnings } from './environments/actions.ts'
export { environmentQueries, unknownFlags } from './environments/queries.ts'
export { environmentRoutes } from './environments/routes.ts'
export {
  differenceSchema,
  environmentParams,
  ruleSummarySchema,
  stagedChangeSchema,
  stagedListSchema,
} from './environments/schema.ts'
export { type StagedList, stagedList } from './environments/staged.ts'
export { keyFor } from './key.ts'
export { idsOfNames, withIds } from './names/queries.ts'
export {
  findProject,
  findProjectByName,
  givingShortIds,
  listProjects,
  lockProject,
  nextFlagShortId,
  type Project,
  shareProject,
} from './queries.ts'
export { projectRoutes } from './routes.ts'
export { projectParams } from './schema.ts'
