import { type DataFile, type EvaluationContext, explain, type Flag, type RuleExplanation } from '@svc/core'
import type { Version } from '../versions/index.ts'

/** A flag as an SDK gets it, with the version that it was made from. */
export interface ExplainedFlag {
  flagId: string
  key: string
  flag: Flag
  version: Version
}

/** As in the data file, and PAUSED: the rule's own switch, or the flag's, keeps it out of the file. */
type Outcome = RuleExplanation['outcome'] | 'PAUSED'

export type ExplainedRule = Omit<RuleExplanation, 'outcome'> & {
  outcome: Outcome
  name: string
  type: 'TARGETED_DELIVERY' | 'AB_TEST'
}

/** What a visitor gets of one flag, and of each of its rules why or why not, in evaluation order. */
export function explainFlag(
  {
    flagId,
    key,
    flag,
    version,
    audiences,
    segments,
  }: ExplainedFlag & Required<Pick<DataFile, 'audiences' | 'segments'>>,
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
    exclusionGroups: {},
    events: {},
    flags: { [key]: flag },
  }
  const { rules, value = null, errorCode = null, ...decision } = explain(file, key, context, now.getTime())
  const served = new Map(rules.map((rule) => [rule.ruleId, rule]))
  return {
    flagId,
    flagKey: key,
    enabled: flag.enabled,
    value,
    errorCode,
    ...decision,
    rules: version.rules.map(({ id, name, type }) => ({ name, type, ...(served.get(id) ?? paused(id)) })),
  }
}

const paused = (ruleId: string): Omit<ExplainedRule, 'name' | 'type'> => ({
  ruleId,
  outcome: 'PAUSED',
  variationKey: null,
  failed: [],
  unit: null,
  traffic: null,
  split: null,
})

export const notFoundFlag = (key: string) => ({
  flagId: null,
  flagKey: key,
  enabled: false,
  value: null,
  variationKey: null,
  ruleId: null,
  reason: 'ERROR' as const,
  errorCode: 'FLAG_NOT_FOUND' as const,
  rules: [],
})
