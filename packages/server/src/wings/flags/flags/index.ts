export { flagEtag, ofFlag, onDraft, recordFlagChange, updatedEvent, updatedIn } from './actions.ts'
export { type Creating, creating } from './creation/actions.ts'
export {
  type Flag,
  findFlag,
  findFlagOfRule,
  type LockedFlag,
  lockFlagsIn,
  saveDraftEdit,
  saveDraftEdits,
  saveSwitched,
} from './queries.ts'
export { flagRoutes } from './routes.ts'
export { flagEnvironmentParams, flagParams, stagedSchema } from './schema.ts'
