import {
  type DataFile,
  type EvaluationContext,
  explain,
  type FailedCondition,
  type Flag,
  type RuleExplanation,
} from '@svc/core'
import type { Version } from '../../model/versions/index.ts'
import { sharedBy } from '../../serving/datafile/index.ts'

/** A flag as SDKs get it, with the version that it was built from. */
export interface ExplainedFlag {
  /** Null for a hidden flag, also once its web experiment is deleted. */
  flagId: string | null
  /** The web experiment in the place of a hidden flag. */
  experimentId: string | null
  key: string
  flag: Flag
  version: Version
}

/** PAUSED: the switch of the rule or of the flag keeps the rule out of the data file. */
type Outcome = RuleExplanation['outcome'] | 'PAUSED'

export type ExplainedRule = Omit<RuleExplanation, 'outcome'> & {
  outcome: Outcome
  /** Number of failed conditions that are not shown. */
  moreFailed: number
  name: string
  type: 'TARGETED_DELIVERY' | 'AB_TEST'
}

const maxShownPerRule = 20
const maxShown = 5_000
const maxShownCharacters = 256
const maxShownValues = 20

type Shown = Pick<ExplainedRule, 'failed' | 'moreFailed'>

/**
 * Limits the failed conditions to what people can read: a few for each rule, with long texts and lists truncated, and a
 * maximum for all rules of an answer.
 */
export function shownFailures(): (failed: readonly FailedCondition[]) => Shown {
  let room = maxShown
  return (failed) => {
    const shown = failed.slice(0, Math.min(maxShownPerRule, room)).map(shorten)
    room -= shown.length
    return { failed: shown, moreFailed: failed.length - shown.length }
  }
}

function shorten(condition: FailedCondition): FailedCondition {
  if ('segment' in condition) return condition
  const { value, actual } = condition
  return {
    ...condition,
    ...(value !== undefined && { value: beginning(value) }),
    actual: beginning(actual),
  } as FailedCondition
}

function beginning(value: unknown): unknown {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.length > maxShownValues
      ? [...value.slice(0, maxShownValues).map(beginning), '…']
      : value.map(beginning)
  const text = JSON.stringify(value)
  return text.length > maxShownCharacters ? cut(text) : value
}

const cut = (text: string): string =>
  text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text

/** What a visitor gets from a flag, and why each of its rules did or did not match, in evaluation order. */
export function explainFlag(
  {
    flagId,
    experimentId,
    key,
    flag,
    version,
    audiences,
    segments,
    show,
  }: ExplainedFlag & Required<Pick<DataFile, 'audiences' | 'segments'>> & { show: ReturnType<typeof shownFailures> },
  context: EvaluationContext,
  now: Date,
) {
  const file = {
    schemaVersion: 1 as const,
    revision: 0,
    environment: { id: '', key: '' },
    publishedAt: null,
    audiences,
    segments,
    ...sharedBy(version.rules),
    events: {},
    flags: { [key]: flag },
  }
  const {
    rules,
    value = null,
    errorCode = null,
    variationKey,
    ruleId,
    reason,
  } = explain(file, key, context, now.getTime())
  const served = new Map(rules.map((rule) => [rule.ruleId, { ...rule, ...show(rule.failed) }]))
  return {
    flagId,
    experimentId,
    flagKey: key,
    enabled: flag.enabled,
    value,
    errorCode,
    variationKey,
    ruleId,
    reason,
    rules: version.rules.map(({ id, name, type }) => ({ name, type, ...(served.get(id) ?? paused(id)) })),
  }
}

const paused = (ruleId: string): Omit<ExplainedRule, 'name' | 'type'> => ({
  ruleId,
  outcome: 'PAUSED',
  variationKey: null,
  failed: [],
  moreFailed: 0,
  unit: null,
  traffic: null,
  split: null,
})

export const notFoundFlag = (key: string) => ({
  flagId: null,
  experimentId: null,
  flagKey: key,
  enabled: false,
  value: null,
  variationKey: null,
  ruleId: null,
  reason: 'ERROR' as const,
  errorCode: 'FLAG_NOT_FOUND' as const,
  rules: [],
})
