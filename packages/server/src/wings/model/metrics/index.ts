export {
  type EndedWith,
  experimentsEndedWith,
  type KnownMetric,
  lockMetrics,
  type MetricUse,
  rulesMeasuring,
} from './queries.ts'
