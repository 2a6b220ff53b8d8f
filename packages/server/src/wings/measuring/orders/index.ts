export { maxOrderItems } from '../events/index.ts'
export { followSettings, storeOrders } from './actions.ts'
export { confirmFrom, type ImportCounts, type ImportPlace, importOrders, type StoredOrders } from './import/actions.ts'
export {
  checkOrder,
  type ImportedOrder,
  importedStatuses,
  isAbsent,
  type OrderProblem,
  type RawFields,
} from './import/check.ts'
export { itemsBoughtBy, type OrderFacts, orderFacts, renameInOrders } from './queries.ts'
export { recounting } from './recounts/worker.ts'
export { orderRoutes } from './routes.ts'
export { withOrders } from './store.ts'
export { orderSweeps } from './worker.ts'
