export { metrics } from './actions.ts'
export type { MetricContent } from './metric.ts'
export { metricRoutes } from './routes.ts'
