import { isDeepStrictEqual } from 'node:util'
import { type Issue, invalid, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import type { ProjectType } from '../../flags/projects/index.ts'
import type { EndedWith, MetricUse } from '../../model/metrics/index.ts'
import type { Trigger } from '../../model/web/index.ts'
import { isReserved } from '../events/index.ts'

export const maxMetricsPerProject = 500
export const maxShownUses = 100
/** Older metrics can have events with longer keys. They count as before. */
export const maxMetricEventKeyLength = 100

export const metricTypes = ['PROPORTION', 'MEAN', 'RATIO'] as const
export const metricDirections = ['INCREASE', 'DECREASE'] as const

/** What a metric computes from the events of a visitor. */
export interface MetricDefinition {
  type: (typeof metricTypes)[number]
  eventKey: string
  /** Null if each event counts as 1. */
  valueFrom: 'value' | null
  denominator: { eventKey: string; valueFrom: 'value' | null } | null
  direction: (typeof metricDirections)[number]
  unit: string | null
  conversionWindowHours: number
  winsorizeAt: number | null
  nonInferiorityMargin: number | null
}

/** A metric as an edit changes it. */
export interface MetricContent extends MetricDefinition {
  name: string
  /** What visitors do on pages that the script tells as the event; null if programs alone send it. */
  trigger: Trigger | null
  archived: boolean
}

/** Refuses fields that the type of the metric does not have. */
export function refusesDefinition({
  type,
  valueFrom,
  denominator,
  winsorizeAt,
  eventKey,
  trigger,
}: MetricDefinition & Pick<MetricContent, 'trigger'>): Refusal | undefined {
  const issues: Issue[] = []
  if (trigger !== null && isReserved(eventKey))
    issues.push({ path: ['trigger'], message: `must be null: only orders give the event ${eventKey}.` })
  if (type === 'PROPORTION' && valueFrom !== null)
    issues.push({ path: ['valueFrom'], message: 'must be null: a PROPORTION counts visitors, not values.' })
  if (type === 'RATIO' && denominator === null)
    issues.push({ path: ['denominator'], message: 'must name the event to divide by, because the type is RATIO.' })
  if (type !== 'RATIO' && denominator !== null)
    issues.push({ path: ['denominator'], message: `must be null: only a RATIO has a denominator, not a ${type}.` })
  if (type !== 'MEAN' && winsorizeAt !== null)
    issues.push({ path: ['winsorizeAt'], message: `must be null: only a MEAN can be capped, not a ${type}.` })
  return refuseIssues(issues)
}

/** Only web projects have a script that can tell what a trigger says. */
export const refusesTrigger = (projectType: ProjectType | undefined): Refusal | undefined => {
  if (projectType === 'WEB') return undefined
  const message = 'must be null: the project has no script on pages. Only a project of the type WEB has one.'
  return invalid({ path: ['trigger'], message })
}

const triggerTakenText =
  'Another metric of this project has a trigger for this eventKey. Leave the trigger out, or use another eventKey.'

/** Two triggers would count what visitors do twice. */
export const triggerTaken: Refusal = refuse('already_exists', triggerTakenText, {
  issues: [{ path: ['trigger'], message: triggerTakenText }],
})

/**
 * Refuses to change what a metric computes while results with it are read: those of tests that have begun, and of
 * experiments that have ended. The name and the archived state can always change.
 */
export function refusesRedefinition(
  before: MetricContent,
  after: MetricContent,
  { uses, ended }: { uses: readonly MetricUse[]; ended: readonly EndedWith[] },
): Refusal | undefined {
  const begun = uses.filter((use) => use.begun)
  const named = new Set(begun.map(({ use }) => use.id))
  const references = [
    ...begun.map(({ use }) => use),
    ...ended
      .filter(({ id, ruleId }) => !named.has(ruleId) && !named.has(id))
      .map(({ id, flagId, envId }) => ({ type: 'experiment', id, ...(flagId && { flagId }), envId })),
  ]
  if (references.length === 0 || isDeepStrictEqual(definitionOf(before), definitionOf(after))) return undefined
  return refuse(
    'invalid_state',
    'Tests that have started use the metric: it can be renamed and archived, but not redefined. Create a new metric.',
    { references },
  )
}

/** Refuses to delete a metric that a rule names or named when it was live: its results could not be read any more. */
export function refusesDeletion(uses: readonly MetricUse[], wasMeasured: boolean): Refusal | undefined {
  if (uses.length > 0)
    return refuse('invalid_state', 'Drafted or live rules use the metric. Change them first, or archive the metric.', {
      references: uses.map(({ use }) => use),
    })
  return wasMeasured
    ? refuse(
        'invalid_state',
        'A published revision used the metric, so its results stay. Archive the metric instead.',
        {
          references: [],
        },
      )
    : undefined
}

function definitionOf({ name: _name, archived: _archived, ...definition }: MetricContent): object {
  return definition
}
