export { publish, publishWarnings } from './actions.ts'
export type { StagedChanges } from './plan.ts'
export { type AsIf, previewPublish } from './preview/actions.ts'
export { type PreviewedFlag, previewedFlags } from './preview/queries.ts'
export { previewSchema } from './preview/schema.ts'
export { publishingRoutes, visitorsUpload } from './routes.ts'
export {
  changedExperimentsField,
  differenceSchema,
  previewBody,
  ruleSummarySchema,
  stagedChangeSchema,
  stagedListSchema,
} from './schema.ts'
export { type StagedList, stagedList } from './staged.ts'
