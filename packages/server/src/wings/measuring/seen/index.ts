export { forgetSeen } from './queries.ts'
export { seenRoutes } from './routes.ts'
export { keepSeen, type SeenNotes, seenIn, seenNotes, seenSweep } from './worker.ts'
