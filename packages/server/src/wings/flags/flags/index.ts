export {
  flagEtag,
  flagEvent,
  ofFlag,
  onDraft,
  recordFlagChange,
  saveVariations,
  updatedEvent,
  updatedIn,
} from './actions.ts'
export { type Creating, creating } from './creation/actions.ts'
export { isStale, readVariations, type StaleBounds, staleBounds, type Typed, unknownVariation } from './flag.ts'
export {
  addHiddenVariations,
  createHiddenFlag,
  deleteHiddenFlag,
  deleteHiddenFlags,
  readHidden,
  saveHiddenFlag,
  saveHiddenName,
} from './hidden/actions.ts'
export {
  type Flag,
  findFlag,
  findFlagOfRule,
  findTestedFlag,
  flagEnvironments,
  type LockedFlag,
  lockFlag,
  lockFlagIn,
  lockFlagsIn,
  notingSwitched,
  type SwitchedFlag,
  saveDraftEdit,
  saveDraftEdits,
  saveSwitched,
  staleRows,
} from './queries.ts'
export { flagRoutes, presentFlagEnvironment } from './routes.ts'
export {
  flagEnvironmentParams,
  flagEnvironmentSchema,
  flagParams,
  stagedSchema,
  tagAndText,
  tagsField,
  typeField,
} from './schema.ts'
