export { recentFigures } from './actions.ts'
export type { Measured, MeasuredMetric, Moments, Phase, UnitRow } from './figures.ts'
export { defaultMargin } from './figures.ts'
export { phasesOfResults } from './measured.ts'
export { lastDimensions, lastSnapshot, lastSummaries, type Since } from './queries.ts'
export { findMeasured, type ResultsContext, resultRoutes, routesOfResults } from './routes.ts'
export {
  type ComparisonResult,
  type Dimension,
  type HealthCheck,
  type MetricResult,
  type Results,
  type ResultsSummary,
  resultsSchemas,
  resultsSummarySchema,
} from './schema.ts'
export { type SnapshotWorker, snapshotWorker } from './worker.ts'
