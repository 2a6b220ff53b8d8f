export {
  type EndedWith,
  experimentsEndedWith,
  type KnownMetric,
  lockMetrics,
  type MetricUse,
  rulesMeasuring,
  triggersOf,
} from './queries.ts'
