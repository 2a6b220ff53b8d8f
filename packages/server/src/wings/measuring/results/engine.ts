export { defaultTuningParameter } from '@svc/stats'
export { finalFigures } from './finality.ts'
export type { TimeSeriesRow } from './results.ts'
export { dimensionOf, resultsOf, timeSeriesOf } from './results.ts'
