export { fanOut, settle, unreadableSecrets } from './actions.ts'
export {
  type DeliveryStatus,
  interrupted,
  isExhausted,
  refusesRetry,
  type Settlement,
  settlementOf,
  unreadableSecret,
} from './delivery.ts'
export { failuresUntilDisabled, toggled } from './health.ts'
export { observeDeliveries, traceDeliveries } from './metrics.ts'
export { payloadOf, testPayload } from './payload.ts'
export {
  claimDue,
  countSealedSecrets,
  type Delivery,
  disableAllDestinations,
  findDelivery,
  findJob,
  insertDeliveries,
  insertSecret,
  type Job,
  listDeliveries,
  lockDelivery,
  projectOf,
  queueState,
  restartDeliveries,
  restartDelivery,
  wakeWorkers,
} from './queries.ts'
export {
  type DeliveryContext,
  type DeliveryKind,
  type DeliveryObserver,
  type DeliverySettings,
  type DeliveryWorker,
  deliverySweeps,
  deliveryWorker,
} from './worker.ts'
