export {
  apart,
  countNewEvents,
  haveOrdersChanged,
  isOfContent,
  metricOf,
  type Pace,
  type Subject,
  subjectOf,
} from './actions.ts'
export { type DimensionRows, dayOf, type Moments, type SetAside, type UnitRow } from './cohort.ts'
export { double, readDimensions, readMetricCohorts } from './cohorts/queries.ts'
export { dimensionNames } from './dimensions/queries.ts'
export { historyOf, type PastRule, type RuleHistory, type RulePhase } from './history.ts'
export {
  type Counts,
  closesAt,
  countsOf,
  lookbackDays,
  type Measure,
  type MetricRow,
  measureOf,
  rolesOf,
  type StoredMeasure,
} from './measure.ts'
export { readMeasures } from './measures/queries.ts'
export {
  dueRules,
  enterRule,
  enterRules,
  lastExposureAt,
  type MeasuredPlace,
  type MeasuredRule,
  noteFailing,
  pastOfRule,
  readMetrics,
} from './rules/queries.ts'
export { type Failure, isSetAside } from './set-aside.ts'
export { keepAsCounted, readUnitCohorts, renameUnits, rulesKnowing } from './units/queries.ts'
