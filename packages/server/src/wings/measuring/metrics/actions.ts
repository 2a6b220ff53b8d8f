import { notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import { newRow, nounActions, recordedAs } from '../../../nouns/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { inProject } from '../../flags/projects/index.ts'
import { experimentsEndedWith, rulesMeasuring } from '../../model/metrics/index.ts'
import {
  type MetricContent,
  maxMetricsPerProject,
  maxShownUses,
  refusesDefinition,
  refusesDeletion,
  refusesRedefinition,
} from './metric.ts'
import { insertMetric, type Metric, metricQueries, saveMetric, wasMeasured } from './queries.ts'

export const metrics = nounActions<Metric, MetricContent>({
  noun: 'metric',
  place: 'project',
  most: maxMetricsPerProject,
  nameConstraint: 'metrics_name_key',
  keyConstraint: 'metrics_key_key',
  content: contentOf,
  record: recordedAs('metric', ({ id, key, name }) => ({ metric: { id, key, name } })),
})

export function createMetric(
  db: Db,
  by: Author,
  project: { orgId: string; id: string },
  wanted: Omit<MetricContent, 'archived'> & { key: string },
): Promise<Metric | Refusal> {
  const work = inProject(db, by, project, async (on) => {
    const { tx } = on
    const projectId = project.id
    const refusal = refusesDefinition(wanted) ?? metrics.refusesMoreThan(await metricQueries.count(tx, projectId))
    if (refusal) return refusal
    const row = { ...wanted, ...newRow(by, projectId), archived: false }
    return metrics.create(on, row, () => insertMetric(tx, row))
  })
  return metrics.orTaken(work)
}

export function updateMetric(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, metricId }: { orgId: string; metricId: string },
  edit: { [Field in keyof MetricContent]?: MetricContent[Field] | undefined },
): Promise<Metric | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const metric = await metricQueries.lock(tx, metricId)
    if (!metric) return notFound('Metric')
    // Validate the body before checking the precondition and the state.
    const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
    const refusal = refusesDefinition({ ...metric, ...given })
    if (refusal) return refusal
    return metrics.edit({ tx, by, orgId }, metric, {
      ifMatch,
      edit,
      refuses: async (after) =>
        refusesRedefinition(contentOf(metric), after, {
          uses: await rulesMeasuring(tx, metric.projectId, [metric.key], maxShownUses),
          ended: await experimentsEndedWith(tx, metric.projectId, [metric.key], maxShownUses),
        }),
      save: (edited) => saveMetric(tx, edited),
    })
  })
  return metrics.orTaken(work)
}

export function deleteMetric(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, metricId }: { orgId: string; projectId: string; metricId: string },
): Promise<Metric | Refusal> {
  return inProject(db, by, { orgId, id: projectId }, async (on) => {
    const { tx } = on
    return metrics.remove(on, await metricQueries.lockLeaving(tx, metricId), {
      ifMatch,
      refuses: async ({ key }) =>
        refusesDeletion(
          await rulesMeasuring(tx, projectId, [key], maxShownUses),
          await wasMeasured(tx, projectId, key),
        ),
      remove: () => metricQueries.remove(tx, metricId),
    })
  })
}

function contentOf(metric: MetricContent): MetricContent {
  const { name, type, eventKey, valueFrom, denominator, direction, unit, archived } = metric
  const { conversionWindowHours, winsorizeAt, nonInferiorityMargin } = metric
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
    archived,
  }
}
