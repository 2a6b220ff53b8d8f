export {
  findDataFileByKey,
  firstDataFile,
  type Publication,
  type PublicationEvent,
  type Publishing,
  publishing,
  type Republish,
  type RepublishedFlags,
} from './actions.ts'
export { anyOrigin } from './answer.ts'
export { parseFragment } from './bytes.ts'
export { fragmentOf } from './fragment.ts'
export {
  lockEnvironment,
  lockEnvironments,
  notifyChanged,
  outdateSegmentParts,
  type PublishedEnvironment,
} from './queries.ts'
export { dataFilesAhead, serveDataFiles } from './routes.ts'
export { type DataFileStore, dataFileStore, type ServedDataFile } from './store.ts'
export { dataFileUrl } from './url.ts'
export { keepDataFiles } from './worker.ts'
