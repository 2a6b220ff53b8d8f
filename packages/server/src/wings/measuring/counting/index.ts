export { type CohortRow, dayOf, type Moments, type SetAside, type UnitRow } from './cohort.ts'
export { historyOf, type PastRule, type RuleHistory, type RulePhase } from './history.ts'
export {
  type Counts,
  closesAt,
  countedSince,
  countedUntil,
  countsOf,
  lookbackDays,
  type Measure,
  type MetricRow,
  measureOf,
  rolesOf,
  type StoredMeasure,
} from './measure.ts'
