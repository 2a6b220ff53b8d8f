import { withoutEmptyRows } from '../../../ui/conditions/condition-check.ts'
import { audienceName, type ConditionNames, conditionSentence } from '../../../ui/conditions/condition-words.ts'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { even, percentOf, whole } from '../../../ui/words/percent.ts'
import type { FlagInEnvironment, Rule, RuleDefinition } from './rule-rows.ts'

export type MetricRole = 'primary' | 'secondary' | 'guardrails'

export type RuleType = RuleDefinition['type']

/** The fields of the form of a rule. They have the names of the body, so that an issue appears at its field. */
export type RuleValues = {
  name: string
  description: string
  audienceIds: string[]
  conditions: Condition
  trafficAllocation: number
  bucketBy: string
  /** For a rollout only. */
  variationKey: string
  exposures: boolean
  /** For an A/B test only. */
  variations: { variationKey: string; weight: number }[]
  baselineVariationKey: string
  metrics: { key: string; role: MetricRole }[]
  /** Empty if there is none. The next field is the same. */
  exclusionGroupId: string
  holdoutId: string
  sticky: boolean
  /** Visitors who always get a variation here. Each is an entry, so that two people can add some. */
  always: { id: string; variationKey: string }[]
}

type Overrides = FlagInEnvironment['draft']['overrides']

interface FlagVariations {
  variations: readonly { key: string }[]
  defaultVariationKey: string
}

/** A new rule before anything is typed: for everyone, with the first variation that is not the default. */
export function newValues({ variations, defaultVariationKey }: FlagVariations): RuleValues {
  const other = variations.find(({ key }) => key !== defaultVariationKey) ?? variations[0]!
  const weights = even(variations.length)
  return {
    name: '',
    description: '',
    audienceIds: [],
    conditions: { all: [] },
    trafficAllocation: whole,
    bucketBy: 'targetingKey',
    variationKey: other.key,
    exposures: false,
    variations: variations.map(({ key }, at) => ({ variationKey: key, weight: weights[at]! })),
    baselineVariationKey: defaultVariationKey,
    metrics: [],
    exclusionGroupId: '',
    holdoutId: '',
    sticky: false,
    always: [],
  }
}

export function valuesOf(rule: RuleDefinition | Rule, overrides: Overrides): RuleValues {
  const isTest = rule.type === 'AB_TEST'
  return {
    name: rule.name,
    description: rule.description ?? '',
    audienceIds: rule.audienceIds,
    conditions: rule.conditions as Condition,
    trafficAllocation: rule.trafficAllocation,
    bucketBy: rule.bucketBy,
    variationKey: isTest ? '' : rule.variationKey,
    exposures: !isTest && rule.exposures,
    variations: isTest ? rule.variations : [],
    baselineVariationKey: isTest ? rule.baselineVariationKey : '',
    metrics: isTest ? roles.flatMap((role) => rule.metrics[role].map((key) => ({ key, role }))) : [],
    exclusionGroupId: isTest ? (rule.exclusionGroupId ?? '') : '',
    holdoutId: isTest ? (rule.holdoutId ?? '') : '',
    sticky: isTest && rule.sticky,
    always: alwaysIn(overrides, rule.id),
  }
}

export const alwaysIn = ({ ruleAllowlists }: Overrides, ruleId: string): RuleValues['always'] =>
  (ruleAllowlists.find((list) => list.ruleId === ruleId)?.entries ?? []).flatMap(({ variationKey, userIds }) =>
    userIds.map((id) => ({ id, variationKey })),
  )

/** The overrides with other visitors for this rule. */
export function withAlways(overrides: Overrides, ruleId: string, always: RuleValues['always']): Overrides {
  const keys = [...new Set(always.map(({ variationKey }) => variationKey))]
  const entries = keys.map((variationKey) => ({
    variationKey,
    userIds: always.filter((each) => each.variationKey === variationKey).map(({ id }) => id),
  }))
  const others = overrides.ruleAllowlists.filter((list) => list.ruleId !== ruleId)
  return { ...overrides, ruleAllowlists: entries.length > 0 ? [...others, { ruleId, entries }] : others }
}

export const roles: readonly MetricRole[] = ['primary', 'secondary', 'guardrails']

const shared = ['name', 'description', 'audienceIds', 'conditions', 'trafficAllocation', 'bucketBy'] as const
const own = {
  TARGETED_DELIVERY: ['variationKey', 'exposures'],
  AB_TEST: ['variations', 'baselineVariationKey', 'metrics', 'exclusionGroupId', 'holdoutId', 'sticky'],
} as const

/** The fields of the body that differ from what was read; all of them for a new rule. */
export function bodyOf(type: RuleType, values: RuleValues, base?: RuleValues): Record<string, unknown> {
  const fields = [...shared, ...own[type]].filter(
    (field) => base === undefined || JSON.stringify(values[field]) !== JSON.stringify(base[field]),
  )
  return Object.fromEntries(fields.map((field) => [field, inBody(field, values)]))
}

function inBody(field: keyof RuleValues, values: RuleValues): unknown {
  if (field === 'description') return values.description.trim() || null
  if (field === 'exclusionGroupId' || field === 'holdoutId') return values[field] || null
  if (field === 'conditions') return withoutEmptyRows(values.conditions)
  if (field !== 'metrics') return values[field]
  const keysOf = (role: MetricRole) => values.metrics.filter((each) => each.role === role).map(({ key }) => key)
  return Object.fromEntries(roles.map((role) => [role, keysOf(role)]))
}

export const labels: Record<keyof RuleValues, string> = {
  name: 'Name',
  description: 'Description',
  audienceIds: 'Audiences',
  conditions: 'Conditions',
  trafficAllocation: 'Share',
  bucketBy: 'Bucketed by',
  variationKey: 'Variation',
  exposures: 'Count exposures',
  variations: 'Split',
  baselineVariationKey: 'Baseline',
  metrics: 'Metrics',
  exclusionGroupId: 'Exclusion group',
  holdoutId: 'Holdout',
  sticky: 'Sticky variations',
  always: 'Individual visitors',
}

/** The value of a field as people read it, for a conflict. */
export function fieldWords(field: keyof RuleValues, value: unknown, names: ConditionNames): string {
  if (field === 'trafficAllocation') return percentOf(value as number)
  if (field === 'conditions') return conditionSentence(value as Condition, names)
  if (field === 'audienceIds') return allOf((value as string[]).map((id) => audienceName(names, id))) || 'none'
  if (field === 'variations')
    return (value as RuleValues['variations'])
      .map(({ variationKey, weight }) => `${variationKey} ${percentOf(weight)}`)
      .join(', ')
  if (field === 'metrics') return (value as RuleValues['metrics']).map(({ key }) => key).join(', ') || 'none'
  if (field === 'exclusionGroupId' || field === 'holdoutId') return value === '' ? 'none' : 'another one'
  if (field === 'sticky' || field === 'exposures') return value ? 'yes' : 'no'
  if (field === 'always') return counted((value as unknown[]).length, 'visitor')
  return String(value) || 'empty'
}
