export { createProject, deletedProjectSweep, inProject } from './actions.ts'
export { publish, publishWarnings } from './environments/actions.ts'
export { type AsIf, previewPublish } from './environments/preview/actions.ts'
export { type PreviewedFlag, previewedFlags } from './environments/preview/queries.ts'
export { previewSchema } from './environments/preview/schema.ts'
export { environmentQueries, unknownFlags } from './environments/queries.ts'
export { environmentRoutes, visitorsUpload } from './environments/routes.ts'
export {
  differenceSchema,
  environmentParams,
  previewBody,
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
