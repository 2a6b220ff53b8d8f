export { type Importing, orderImport } from './orders/worker.ts'
export { sourceRoutes } from './routes.ts'
export { catalogImport, feedSync } from './sync/worker.ts'
export { begin, letGo, lost, type Writing } from './sync/writing/actions.ts'
