export { defaultTuningParameter } from '@svc/stats'
export type { DimensionRows, TimeSeriesRow } from './results.ts'
export { dimensionOf, resultsOf, timeSeriesOf } from './results.ts'
