export {
  fanOut,
  insertTestPing,
  type ReplayRange,
  refusesLeading,
  replayRange,
  retryFailed,
  settle,
} from './actions.ts'
export type { Batch, BatchedDelivery } from './batch.ts'
export {
  type ClaimedDelivery,
  type DeliveryStatus,
  endedFailed,
  interrupted,
  isExhausted,
  outcomesOf,
  refusesRetry,
  type Settlement,
  settledBy,
  settlementOf,
  stateAfter,
  unreadableSecret,
  waiting,
} from './delivery.ts'
export { observeDeliveries, traceDeliveries } from './metrics.ts'
export {
  claimBatches,
  claimDue,
  countRetrying,
  type Delivery,
  deleteOfOtherProjects,
  deleteWaiting,
  deliveriesChannel,
  findBatch,
  findDelivery,
  findJob,
  insertDeliveries,
  type Job,
  queueState,
  releaseAllBatches,
  releaseBatches,
  settleDeliveries,
  wakeWorkers,
} from './queries.ts'
export { deliveryRoutes } from './routes.ts'
export { retryingField } from './schema.ts'
export { signedHeaders } from './signature.ts'
export {
  type DeliveryContext,
  type DeliveryKind,
  type DeliveryObserver,
  type DeliverySettings,
  type DeliveryWorker,
  deliverySweeps,
  deliveryWorker,
} from './worker.ts'
