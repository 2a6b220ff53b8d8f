export { metrics } from './actions.ts'
export type { MetricContent } from './metric.ts'
export { type Metric, metricQueries } from './queries.ts'
export { metricRoutes } from './routes.ts'
