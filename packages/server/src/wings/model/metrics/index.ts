export { type KnownMetric, lockMetrics, type MetricUse, rulesMeasuring } from './queries.ts'
