export {
  currentFile,
  dataFileTags,
  findDataFileByKey,
  firstDataFile,
  firstWebSettings,
  type PlanTurns,
  type Publishing,
  publishing,
  type Republish,
  type RepublishedFlags,
  raiseRevisions,
  renewDataFiles,
  type Turn,
  type Why,
} from './actions.ts'
export { anyOrigin } from './answer.ts'
export { parseFragment, servedBy } from './bytes.ts'
export { compressed } from './compressed.ts'
export { dataFileOf, type StoredDataFile } from './file.ts'
export { fragmentOf } from './fragment.ts'
export { byId, type IdOf, renamed, withIds } from './names.ts'
export { pagesOf } from './pages.ts'
export { parsePart, sharedBy } from './parts.ts'
export {
  changedFlag,
  type MovedExperiment,
  movesParts,
  type Publication,
  type PublicationEvent,
  type PublishedScript,
  type Republished,
  type ScriptIn,
  type ScriptOf,
} from './publication.ts'
export {
  type FlagStateRow,
  findKeys,
  lockEnvironment,
  lockEnvironments,
  notifyChanged,
  outdateSegmentParts,
  type PublishedAudience,
  type PublishedEnvironment,
  shortIdsOf,
} from './queries.ts'
export { dataFilesAhead, serveDataFiles } from './routes.ts'
export { sdkKeyField } from './schema.ts'
export {
  type DataFileStore,
  dataFileStore,
  type EnvironmentKeys,
  type IngestRule,
  type ServedDataFile,
} from './store.ts'
export { dataFileUrl } from './url.ts'
export { keepDataFiles } from './worker.ts'
