export { flagEtag, type OnSwitch, onDraft, onSwitch, recordFlagChange, updatedIn } from './actions.ts'
export { refusesTransition } from './flag.ts'
export {
  type Flag,
  findFlag,
  findFlagOfRule,
  flagSummaries,
  flagSummary,
  noteSwitched,
  saveEvaluations,
  touchFlag,
} from './queries.ts'
export { flagRoutes } from './routes.ts'
export { flagEnvironmentParams, flagParams, flagStatusField, stagedSchema } from './schema.ts'
