export { databaseStore } from './actions.ts'
export { type LargestNetwork, largestNetwork } from './addresses/queries.ts'
export { type AddressNotes, addressesIn, addressNotes, addressSweeps, keepAddresses } from './addresses/worker.ts'
export { isBotAgent, isBotRequest } from './bots.ts'
export {
  factsOf,
  isUnit,
  maxAgeMs,
  maxEventKeyLength,
  maxValue,
  minValue,
  type ToldError,
} from './event.ts'
export type { Fault as EventFault } from './fault.ts'
export { type Gathering, gathering } from './gather.ts'
export { type Admission, type IngestKeys, ingestKeys, senderOf } from './ingest-key/actions.ts'
export { ingestKeyIn, needsIngestKey } from './ingest-key/requirement.ts'
export { observeIngestion } from './metrics.ts'
export { type NameStore, nameStore } from './names.ts'
export { maxOrderIdLength, maxOrderItems, maxQuantity, type NewOrder, type OrderItem } from './order.ts'
export { productsSeenBy } from './queries.ts'
export { observeQuota } from './quota/metrics.ts'
export { type EventQuota, eventQuota, type Stopped, withinQuota } from './quota/quota.ts'
export { freeShareOfEvents, shareUsage, usageIn, usageSweep } from './quota/worker.ts'
export { readEvents } from './read-events.ts'
export { isReserved, orderKeys } from './reserved.ts'
export { eventRoutes } from './routes.ts'
export {
  type Batches,
  type EventKind,
  type EventStore,
  type Exposure,
  eventKinds,
  type HappenedIn,
  type Happening,
  type MeasuredEvents,
  type NewEvent,
  type Portion,
  type Rows,
  type TrackedEvent,
  type TrackedKeys,
  type UnitsIn,
} from './store.ts'
export { eventSweeps, gatheringInto, keepNames } from './worker.ts'
