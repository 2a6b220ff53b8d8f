import { findProjectType, projectNoun } from '../../flags/projects/index.ts'
import { experimentsEndedWith, rulesMeasuring } from '../../model/metrics/index.ts'
import { lockEnvironments } from '../../serving/datafile/index.ts'
import {
  type MetricContent,
  maxMetricsPerProject,
  maxShownUses,
  refusesDefinition,
  refusesDeletion,
  refusesRedefinition,
  refusesTrigger,
  triggerTaken,
} from './metric.ts'
import { insertMetric, type Metric, metricQueries, saveMetric, wasMeasured } from './queries.ts'

export const metrics = projectNoun<'metric', Metric, MetricContent, Omit<MetricContent, 'archived'> & { key: string }>({
  noun: 'metric',
  most: maxMetricsPerProject,
  queries: metricQueries,
  content: contentOf,
  begin: () => ({ archived: false }),
  insert: insertMetric,
  save: saveMetric,
  taken: { metrics_trigger_key: triggerTaken },
  // What serves a test reads its triggers while it holds the environment, so that both agree on whether it has begun.
  lockFirst: async (tx, projectId, { trigger, eventKey }) =>
    (trigger !== undefined || eventKey !== undefined) && lockEnvironments(tx, projectId),
  refuses: {
    content: async (tx, projectId, content) =>
      refusesDefinition(content) ??
      (content.trigger ? refusesTrigger(await findProjectType(tx, projectId)) : undefined),
    edit: async (tx, metric, after) =>
      refusesRedefinition(contentOf(metric), after, {
        uses: await rulesMeasuring(tx, metric.projectId, [metric.key], maxShownUses),
        ended: await experimentsEndedWith(tx, metric.projectId, [metric.key], maxShownUses),
      }),
    delete: async (tx, { projectId, key }) =>
      refusesDeletion(await rulesMeasuring(tx, projectId, [key], maxShownUses), await wasMeasured(tx, projectId, key)),
  },
})

function contentOf(metric: MetricContent): MetricContent {
  const { name, type, eventKey, valueFrom, denominator, direction, unit, archived } = metric
  const { conversionWindowHours, winsorizeAt, nonInferiorityMargin, trigger } = metric
  return {
    name,
    type,
    eventKey,
    valueFrom,
    denominator,
    direction,
    unit,
    conversionWindowHours,
    winsorizeAt,
    nonInferiorityMargin,
    trigger,
    archived,
  }
}
