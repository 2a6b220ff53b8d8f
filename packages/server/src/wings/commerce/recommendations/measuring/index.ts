export { type MeasureContext, measurementOf } from './actions.ts'
export { measureRoute } from './routes.ts'
