import { type Issue, invalid, isRefusal, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import type { KnownMetric } from '../../model/metrics/index.ts'
import type { RuleRow } from '../../model/rules/index.ts'
import {
  type AbTestRule,
  defaultSalt,
  describeRule,
  type Exclusion,
  type HeldOut,
  type RuleDefinition,
  ruleReferences,
  stagedRules,
  unknownReferences,
  type Version,
} from '../../model/versions/index.ts'
import { keyFor } from '../projects/index.ts'
import type { RuleRequest, RuleUpdate } from './schema.ts'

export const maxRulesPerEnvironment = 100
const allWeights = 10_000

export type RuleStatus = 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'

/**
 * A rule is a draft until it is first served. Then it runs while it is served, and is paused otherwise. It is completed
 * when its experiment has ended: it cannot run again.
 */
export function ruleStatus(row: Pick<RuleRow, 'firstServedAt' | 'hasEnded'>, servedNow: boolean): RuleStatus {
  if (row.hasEnded) return 'COMPLETED'
  if (servedNow) return 'RUNNING'
  return row.firstServedAt ? 'PAUSED' : 'DRAFT'
}

/** The definition after a partial update. Fields that the rule's type does not have are refused. */
export function updatedRule(
  current: RuleDefinition,
  update: RuleUpdate,
  draft: Version,
  known: Known,
): RuleDefinition | Refusal {
  const { position: _position, confirmReassignment: _confirm, dryRun: _dryRun, type = current.type, ...edit } = update
  if (type !== current.type) return invalid({ path: ['type'], message: 'cannot be changed. Create a new rule.' })
  const described = describeRule(current, draft)
  const foreign = Object.keys(edit).filter((field) => !Object.hasOwn(described, field))
  const [first, ...others] = foreign.map((field) => ({ path: [field], message: `A ${type} rule has no ${field}.` }))
  if (first) return invalid(first, ...others)
  const kept = current.type === 'AB_TEST' ? current : undefined
  return parseRule(current, { ...described, ...edit } as RequestedRule, draft, known, kept)
}

/** The part of a request that is the definition. The rest is the position and the switch. */
export type RequestedRule = RuleRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'enabled' | 'position'>
    : never
  : never

/** What a rule names and the project has. */
export interface Known {
  /** Ids of audiences and segments. */
  references: ReadonlySet<string>
  metrics: readonly KnownMetric[]
  /**
   * The slot in the group that the rule names, or the refusal of a full group. Null if the project has no such group.
   */
  exclusion: Exclusion | Refusal | null
  /** The holdout that the rule names. Null if the project has no such holdout. */
  holdout: (HeldOut & { archived: boolean }) | null
}

/** The keys of the metrics in all roles. */
export const metricKeysOf = ({ primary = [], secondary = [], guardrails = [] }: Partial<AbTestRule['metrics']>) => [
  ...primary,
  ...secondary,
  ...guardrails,
]

/** The keys that a new rule cannot have: a rule that the draft has deleted keeps its key until the publish. */
export const takenRuleKeys = ({ live, draft }: { live: Version; draft: Version }): Set<string> =>
  new Set([...live.rules, ...draft.rules].map(({ key }) => key))

export function ruleKeyTaken(key: string): Refusal {
  const message = `Another drafted or live rule of the flag in this environment has the key ${key}.`
  return refuse('already_exists', message, { issues: [{ path: ['key'], message }] })
}

/** Copies of rules, each with its own key if that is free. */
export function withFreeKeys(rules: readonly RuleDefinition[], taken: ReadonlySet<string>): RuleDefinition[] {
  const keys = new Set(taken)
  return rules.map((rule) => {
    const key = keys.has(rule.key) ? keyFor(rule.key, 'rule', keys) : rule.key
    keys.add(key)
    return { ...rule, key }
  })
}

/** The definition in a request, or all of its issues. A rule can keep what it names after that is archived. */
export function parseRule(
  { id, shortId, key }: Pick<RuleDefinition, 'id' | 'shortId' | 'key'>,
  request: RequestedRule,
  draft: Version,
  known: Known,
  kept?: AbTestRule,
): RuleDefinition | Refusal {
  const issues: Issue[] = unknownReferences(ruleReferences(request), known.references)
  const variationId = (key: string, path: PropertyKey[]): string => {
    const variation = draft.variations.find((each) => each.key === key)
    if (!variation) issues.push({ path, message: `There is no variation ${key}.` })
    return variation?.id ?? ''
  }
  const base = {
    id,
    shortId,
    key,
    name: request.name,
    description: request.description,
    audienceIds: request.audienceIds,
    conditions: request.conditions,
    bucketBy: request.bucketBy,
    trafficAllocation: request.trafficAllocation,
    salt: request.salt ?? defaultSalt(id),
    hashVersion: 1 as const,
  }
  if (request.type === 'TARGETED_DELIVERY') {
    const rule = {
      ...base,
      type: request.type,
      variationId: variationId(request.variationKey, ['variationKey']),
      ...(request.exposures && { exposures: true as const }),
    }
    return refuseIssues(issues) ?? rule
  }
  const rule = {
    ...base,
    type: request.type,
    hypothesis: request.hypothesis,
    variations: request.variations.map(({ variationKey, weight }, index) => ({
      variationId: variationId(variationKey, ['variations', index, 'variationKey']),
      weight,
    })),
    baselineVariationId: variationId(request.baselineVariationKey, ['baselineVariationKey']),
    metrics: request.metrics,
    statistics: request.statistics,
    exclusion: isRefusal(known.exclusion) ? null : known.exclusion,
    holdout: heldOutOf(known.holdout),
    sticky: request.sticky,
    ...(kept?.restarts !== undefined && { restarts: kept.restarts }),
  }
  issues.push(...splitIssues(request), ...metricIssues(request, known.metrics, kept ? metricKeysOf(kept.metrics) : []))
  if (request.exclusionGroupId !== null && !known.exclusion)
    issues.push({ path: ['exclusionGroupId'], message: 'This project has no exclusion group with this id.' })
  if (request.holdoutId !== null) issues.push(...holdoutIssues(known.holdout, kept?.holdout?.id))
  const full = isRefusal(known.exclusion) ? known.exclusion : undefined
  return refuseIssues(issues) ?? full ?? rule
}

type AbTestRequest = Extract<RequestedRule, { type: 'AB_TEST' }>

function splitIssues({ variations, baselineVariationKey }: AbTestRequest): Issue[] {
  const issues: Issue[] = []
  const sum = variations.reduce((total, { weight }) => total + weight, 0)
  if (sum !== allWeights)
    issues.push({ path: ['variations'], message: `The weights must sum to ${allWeights} basis points, not ${sum}.` })
  const keys = variations.map(({ variationKey }) => variationKey)
  if (new Set(keys).size !== keys.length)
    issues.push({ path: ['variations'], message: 'must not have the same variation twice.' })
  if (!keys.includes(baselineVariationKey))
    issues.push({ path: ['baselineVariationKey'], message: 'must be one of the variations of the test.' })
  return issues
}

function metricIssues({ metrics }: AbTestRequest, known: readonly KnownMetric[], kept: readonly string[]): Issue[] {
  const archived = new Map(known.map((metric) => [metric.key, metric.archived]))
  const seen = new Set<string>()
  return Object.entries(metrics).flatMap(([role, keys]) =>
    keys.flatMap((key, index) => {
      const isTwice = seen.has(key)
      seen.add(key)
      const message = !archived.has(key)
        ? `This project has no metric ${key}.`
        : archived.get(key) && !kept.includes(key)
          ? `The metric ${key} is archived. Choose another one, or unarchive it first.`
          : isTwice
            ? `The test already has the metric ${key}. A metric can have only one role.`
            : undefined
      return message ? [{ path: ['metrics', role, index], message }] : []
    }),
  )
}

function heldOutOf(known: Known['holdout']): HeldOut | null {
  if (!known) return null
  const { id, shortId, salt, share } = known
  return { id, shortId, salt, share }
}

function holdoutIssues(holdout: Known['holdout'], keptId: string | undefined): Issue[] {
  const path = ['holdoutId']
  if (!holdout) return [{ path, message: 'This project has no holdout with this id.' }]
  if (!holdout.archived || holdout.id === keptId) return []
  return [{ path, message: 'The holdout is archived. Choose another one, or unarchive it first.' }]
}

/** @param visitors how many move, of those who are counted; null if nobody has counted them */
export const reassignmentUnconfirmed = (visitors: number | null): Refusal =>
  refuse(
    'reassignment_unconfirmed',
    `The change gives ${visitors === null ? '' : `about ${visitors.toLocaleString('en')} `}visitors of a running test a different variation. Send confirmReassignment: true to confirm it.`,
    { visitors },
  )

/** The new order, or a refusal with the missing and the unknown ids. */
export function reordered(rules: readonly RuleDefinition[], ruleIds: readonly string[]): RuleDefinition[] | Refusal {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const given = new Set(ruleIds)
  const missing = rules.map(({ id }) => id).filter((id) => !given.has(id))
  const unknown = ruleIds.filter((id) => !byId.has(id))
  const message =
    missing.length > 0
      ? 'must contain every rule of the environment.'
      : unknown.length > 0
        ? 'must contain only rules of the environment.'
        : given.size !== ruleIds.length
          ? 'must not contain a rule twice.'
          : undefined
  if (message)
    return refuse('validation_failed', message, { issues: [{ path: ['ruleIds'], message }], missing, unknown })
  return ruleIds.map((id) => byId.get(id)!)
}

/** Puts a rule at a position. If the position is undefined or beyond the end, the rule comes last. */
export function placed(rules: readonly RuleDefinition[], rule: RuleDefinition, position: number | undefined) {
  const others = rules.filter(({ id }) => id !== rule.id)
  return others.toSpliced(position ?? others.length, 0, rule)
}

export interface RuleContext {
  flag: { id: string; archivedAt: Date | null; version: number }
  envId: string
  enabled: boolean
  live: Version
  draft: Version
  rows: readonly RuleRow[]
}

/** The rules of a draft as the API shows them, in evaluation order. */
export function presentRules({ flag, envId, enabled, live, draft, rows }: RuleContext) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const liveIds = new Set(live.rules.map(({ id }) => id))
  const staged = stagedRules(live, draft)
  return draft.rules.map((rule, position) => {
    const row = byId.get(rule.id)!
    const servedNow = enabled && flag.archivedAt === null && row.enabled && liveIds.has(rule.id)
    return {
      ...describeRule(rule, draft),
      flagId: flag.id,
      envId,
      position,
      status: ruleStatus(row, servedNow),
      enabled: row.enabled,
      hasStagedChanges: staged.has(rule.id),
      experimentId: row.experimentId,
      schedule: row.schedule,
      firstServedAt: row.firstServedAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }
  })
}
