export { publish, publishWarnings } from './actions.ts'
export { type AsIf, previewPublish } from './preview/actions.ts'
export { type PreviewedFlag, previewedFlags } from './preview/queries.ts'
export { previewSchema } from './preview/schema.ts'
export { publishingRoutes, visitorsUpload } from './routes.ts'
export {
  differenceSchema,
  previewBody,
  ruleSummarySchema,
  stagedChangeSchema,
  stagedListSchema,
} from './schema.ts'
export { type StagedList, stagedList } from './staged.ts'
