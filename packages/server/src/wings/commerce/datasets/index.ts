export {
  type Activating,
  type DatasetActions,
  datasetActions,
  environmentFault,
  expectEnvironment,
  queueRefresh,
  type RunModels,
} from './actions.ts'
export { type ActionWeights, type DatasetKind, type Derivation, defaultActions } from './dataset.ts'
export {
  activeVersionOf,
  type DatasetRow,
  datasetCalled,
  kindOfDataset,
  modelsOn,
  type VersionRow,
} from './queries.ts'
export { datasetRefresh } from './refresh/worker.ts'
export { datasetRoutes } from './routes.ts'
export { actionsField } from './schema.ts'
export { relatedOf } from './uploads/actions.ts'
export type { Related } from './uploads/chunks.ts'
export { datasetSweeps } from './worker.ts'
