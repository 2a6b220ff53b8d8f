export { createProject, deletedProjectSweep } from './actions.ts'
export { environmentQueries, unknownFlags } from './environments/queries.ts'
export { environmentRoutes } from './environments/routes.ts'
export { differenceSchema, environmentParams, stagedChangeSchema, stagedListSchema } from './environments/schema.ts'
export { type StagedList, stagedList } from './environments/staged.ts'
export {
  findProject,
  findProjectByName,
  givingShortIds,
  idsOfNames,
  lockProject,
  nextFlagShortId,
  type Project,
  shareProject,
} from './queries.ts'
export { projectRoutes } from './routes.ts'
export { projectParams } from './schema.ts'
