export { flagEtag, type OnSwitch, onDraft, onSwitch, recordFlagChange, updatedEvent, updatedIn } from './actions.ts'
export { refusesTransition } from './flag.ts'
export {
  type Flag,
  findFlag,
  findFlagOfRule,
  saveDraftEdit,
  saveSwitch,
} from './queries.ts'
export { flagRoutes } from './routes.ts'
export { flagEnvironmentParams, flagParams, stagedSchema } from './schema.ts'
