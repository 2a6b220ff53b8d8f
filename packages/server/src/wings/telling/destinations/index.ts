export {
  fanOut,
  insertTestPing,
  type ReplayRange,
  refusesLeading,
  replayRange,
  retryFailed,
  saveHealth,
  settle,
  unreadableSecrets,
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
export { failuresUntilDisabled, toggled } from './health.ts'
export { everySafetyEvent } from './hears.ts'
export type { ChatKind } from './kinds/chat-kind.ts'
export { type KindName, kindNames, kinds } from './kinds/index.ts'
export type { TemplateConfig } from './kinds/template.ts'
export { messageOf } from './messages.ts'
export { observeDeliveries, traceDeliveries } from './metrics.ts'
export { type PayloadProject, payloadOf, testPayload } from './payload.ts'
export {
  claimBatches,
  claimDue,
  countRetrying,
  countSealedSecrets,
  type Delivery,
  deleteWaiting,
  deliveriesChannel,
  disableAllDestinations,
  findBatch,
  findDelivery,
  findJob,
  insertDeliveries,
  insertSecret,
  type Job,
  lockDestinations,
  type MailedMember,
  membersAmong,
  ownHearer,
  projectOf,
  queueState,
  releaseAllBatches,
  releaseBatches,
  saveRests,
  settleDeliveries,
  wakeWorkers,
} from './queries.ts'
export { deliveryRoutes } from './routes.ts'
export { digestField, eventsField, retryingField } from './schema.ts'
export { signedHeaders } from './signature.ts'
export {
  type JsonTemplate,
  type Template,
  templateMaxLength,
  textsOf,
  unknownPlaceholders,
  withTemplate,
} from './template.ts'
export type { Rest } from './turn.ts'
export {
  type DeliveryContext,
  type DeliveryKind,
  type DeliveryObserver,
  type DeliverySettings,
  type DeliveryWorker,
  deliverySweeps,
  deliveryWorker,
} from './worker.ts'
