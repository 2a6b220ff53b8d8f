import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { holdsScope } from '../../../../catalogue/scopes.ts'
import type { Caller } from '../../../../http/credentials.ts'
import { anyVersion } from '../../../../http/etag.ts'
import { namesIn } from '../../../../nouns/index.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { asOne } from '../../../../platform/transaction.ts'
import type { Creating } from '../../../flags/flags/index.ts'
import { inProject } from '../../../flags/projects/index.ts'
import type { Switching } from '../../../flags/switches/index.ts'
import {
  createExperiment,
  createExperimentBody,
  experimentQueries,
  type Lifecycle,
  startExperiment,
} from '../../../measuring/experiments/index.ts'
import { type MetricContent, metrics } from '../../../measuring/metrics/index.ts'
import { orderFacts } from '../../../measuring/orders/index.ts'
import { lastSnapshot } from '../../../measuring/results/index.ts'
import { findProduction, isEnvironmentOf } from '../../../model/environments/index.ts'
import { lockEnvironments } from '../../../serving/datafile/index.ts'
import { noteMeasured, type Placement, placementQueries } from '../placements/index.ts'
import {
  controlKey,
  type Figures,
  figuresIn,
  flagKeyOf,
  guardsMargin,
  marginKey,
  revenueKey,
  shownKey,
} from './measurement.ts'
import { hasFlag, metricsNamed, reportingCurrency } from './queries.ts'

const marginDaysMs = 30 * 86_400_000

export interface MeasureContext extends Lifecycle {
  db: Db
  creating: Creating
  switching: Switching
}

interface Wanted {
  envId?: string | undefined
  /** Basis points. */
  controlShare: number
}

interface Which {
  orgId: string
  projectId: string
  id: string
}

/** Makes the flag of a placement, metrics that are missing, and an experiment between the two, and launches it. */
export function measurePlacement(
  context: MeasureContext,
  by: Author,
  which: Which,
  wanted: Wanted,
): Promise<Placement | Refusal> {
  const { db } = context
  const { orgId, projectId, id } = which
  return asOne(db, (tx) =>
    // All locks that come before the row of the placement, in their order.
    inProject(db, by, { orgId, id: projectId }, async () => {
      await lockEnvironments(tx, projectId)
      const placement = await placementQueries.find(tx, orgId, projectId, id)
      if (!placement) return notFound('Placement')
      const envId = wanted.envId ?? (await findProduction(tx, projectId))
      if (envId === undefined || !(await isEnvironmentOf(tx, projectId, envId)))
        return invalid({ path: ['envId'], message: 'This project has no environment with this id.' })
      const facts = await orderFacts(tx, { projectId, envId, since: new Date(by.now.getTime() - marginDaysMs) })
      const refusal = await refusesMeasuring(tx, placement, facts.hasOrders)
      if (refusal) return refusal
      const flag = await newFlag(context, by, { orgId, projectId }, placement)
      if (isRefusal(flag)) return flag
      const experiment = await newExperiment(context, by, placement, {
        ...{ orgId, flagId: flag.id, envId, controlShare: wanted.controlShare },
        hasMargin: guardsMargin(facts),
      })
      if (isRefusal(experiment)) return experiment
      const place = { orgId, projectId, flagId: flag.id, envId }
      const run = await context.switching({ which: place, by, move: { ruleId: null, enabled: true } })
      if (isRefusal(run)) return run
      const request = { which: { orgId, projectId, experimentId: experiment.id }, ifMatch: anyVersion }
      const launched = await startExperiment(context, by, request, 'launch', { dryRun: false })
      if (isRefusal(launched)) return launched
      return note(tx, by, which, experiment.id)
    }),
  )
}

async function refusesMeasuring(
  tx: Tx,
  { projectId, key }: Placement,
  hasOrders: boolean,
): Promise<Refusal | undefined> {
  const flagKey = flagKeyOf(key)
  if (await hasFlag(tx, projectId, flagKey))
    return refuse('invalid_state', `The flag ${flagKey} exists already. Its experiments measure this placement.`)
  if (hasOrders) return undefined
  return refuse(
    'invalid_state',
    'No order has come in this environment, so revenue cannot be measured. Send orders with an SDK first.',
  )
}

async function newFlag(
  { creating }: MeasureContext,
  by: Author,
  which: { orgId: string; projectId: string },
  { key, name }: Placement,
) {
  const created = await creating(by, which, {
    name: `Recommendations: ${name}`.slice(0, maxNameLength),
    key: flagKeyOf(key),
    type: 'STRING',
    variations: [
      { key: shownKey, name: 'Recommendations', value: shownKey },
      { key: controlKey, name: 'None', value: controlKey },
    ],
    defaultVariationKey: shownKey,
    description: `Whether visitors get the recommendations of the placement ${key}, and which variant.`,
    tags: [],
    permanent: false,
  })
  return isRefusal(created) ? created : created.flag
}

const maxNameLength = 200

async function newExperiment(
  { db }: MeasureContext,
  by: Author,
  { projectId, name }: Placement,
  of: { orgId: string; flagId: string; envId: string; controlShare: number; hasMargin: boolean },
) {
  const { orgId, flagId, envId, controlShare, hasMargin } = of
  const refusal = await withMetrics(
    db,
    by,
    { orgId, id: projectId },
    hasMargin ? [revenueKey, marginKey] : [revenueKey],
  )
  if (refusal) return refusal
  const body = createExperimentBody.parse({
    ...{ flagId, envId },
    name: `Recommendations: ${name}`.slice(0, maxNameLength),
    hypothesis: 'Visitors who see these recommendations bring more revenue.',
    variations: [
      { key: shownKey, weight: 10_000 - controlShare },
      { key: controlKey, weight: controlShare },
    ],
    baselineVariationKey: controlKey,
    metrics: { primary: [revenueKey], secondary: [], guardrails: hasMargin ? [marginKey] : [] },
    // Otherwise, nobody would count for the first seven days.
    statistics: { test: 'SEQUENTIAL', inProgressConversions: 'INCLUDE' },
  })
  return createExperiment(db, by, { id: projectId, orgId, type: 'FEATURE_FLAG' }, body)
}

/** Makes those of the metrics that the project does not have. */
async function withMetrics(
  db: Db,
  by: Author,
  project: { orgId: string; id: string },
  keys: readonly string[],
): Promise<Refusal | undefined> {
  const known = new Map((await metricsNamed(db, project.id, keys)).map((metric) => [metric.key, metric]))
  const currency = await reportingCurrency(db, project.id)
  for (const key of keys) {
    const wanted = key === revenueKey ? revenueMetric : marginMetric
    const found = known.get(key)
    if (found) {
      const isSame = found.type === 'MEAN' && found.eventKey === wanted.eventKey && found.valueFrom === 'value'
      if (isSame && !found.archived) continue
      return refuse(
        'invalid_state',
        `The metric ${key} is ${isSame ? 'archived' : `not the mean of the values of ${wanted.eventKey}`}, so it cannot measure this placement.`,
      )
    }
    const made = await metrics.create(db, by, project, { ...wanted, key, unit: currency })
    if (isRefusal(made)) return made
  }
  return undefined
}

const meanOf = (eventKey: string, name: string): Omit<MetricContent, 'archived' | 'unit'> => ({
  ...{ name, type: 'MEAN', eventKey, valueFrom: 'value', denominator: null, direction: 'INCREASE' },
  ...{ conversionWindowHours: 168, winsorizeAt: 0.999, nonInferiorityMargin: null, trigger: null },
})
const revenueMetric = meanOf('order', 'Revenue per visitor')
const marginMetric = meanOf('order.margin', 'Margin per visitor')

async function note(
  tx: Tx,
  by: Author,
  { orgId, projectId, id }: Which,
  experimentId: string,
): Promise<Placement | Refusal> {
  const before = await placementQueries.lock(tx, id)
  if (!before) return notFound('Placement')
  const after = { ...before, experimentId, version: before.version + 1, updatedAt: by.now }
  await noteMeasured(tx, after)
  await by.record(tx, {
    ...{ orgId, projectId, action: 'placement.measure', before: { experimentId: before.experimentId } },
    ...{ after: { experimentId }, object: { type: 'placement', id, name: after.name } },
    events: [{ name: 'placement.updated', payload: namesIn('placement', after) }],
  })
  return after
}

/** What a placement brings, as its answer shows it. */
export interface Measurement extends Figures {
  experimentId: string
  flagKey: string
  status: string
  currency: string | null
}

/** Null for who cannot read results, and before there is an interval. */
export async function measurementOf(db: Db, caller: Caller, placement: Placement): Promise<Measurement | null> {
  const { projectId, experimentId, key } = placement
  if (experimentId === null || !holdsScope(caller.scopes, 'results:read')) return null
  const experiment = await experimentQueries.find(db, caller.organization.id, projectId, experimentId)
  const snapshot = experiment && (await lastSnapshot(db, experiment.ruleId))
  const figures = snapshot && figuresIn(snapshot.document)
  if (!figures) return null
  const currency = await reportingCurrency(db, projectId)
  return { experimentId, flagKey: flagKeyOf(key), status: experiment.status, currency, ...figures }
}
