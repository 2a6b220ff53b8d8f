export { defaultTuningParameter } from '@svc/stats'
export type { Dimension, DimensionRows, TimeSeriesRow } from './results.ts'
export { dimensionOf, resultsOf, timeSeriesOf } from './results.ts'
