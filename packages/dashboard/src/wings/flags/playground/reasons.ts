import type { Data } from '@svc/client'
import { type ConditionNames, conditionWords, textOf } from '../../../ui/conditions/condition-words.ts'
import type { AttributeCondition, Operator } from '../../../ui/conditions/conditions.ts'
import { utcMoment } from '../../../ui/time/dates.ts'
import { counted, oneOf } from '../../../ui/words/lists.ts'
import { percentOf } from '../../../ui/words/percent.ts'

export type ExplainedFlag = Data<'/api/v1/projects/{projectId}/environments/{envId}/evaluate', 'post'>['flags'][number]
export type ExplainedRule = ExplainedFlag['rules'][number]
type Failed = ExplainedRule['failed'][number]

/** Why a rule gave a value or not: a few words, and what exactly, in short sentences. */
export interface Reason {
  words: string
  details: string[]
}

const maxValues = 5

/** What decided, beside the value: "by rule 2", "else". */
export function decisionWords(flag: ExplainedFlag): string {
  const { reason, ruleId, rules, errorCode } = flag
  if (flag.experimentId !== null && reason !== 'ERROR') return inExperiment[reason]
  const place = rules.findIndex((rule) => rule.ruleId === ruleId) + 1
  const byRule = place > 0 ? `by rule ${place}` : undefined
  switch (reason) {
    case 'DISABLED':
      return 'the flag is paused'
    case 'OVERRIDE':
      return byRule ? `always, ${byRule}` : 'always, by the list of the flag'
    case 'TARGETING_MATCH':
    case 'SPLIT':
      return byRule ?? 'by a rule'
    case 'DEFAULT':
      return 'else'
    case 'UNIT_MISSING':
      return 'no rule applies, because the visitor lacks the id or attribute that a rule splits by'
    case 'HOLDOUT':
      return 'no rule applies, because a holdout keeps the visitor out'
    case 'ERROR':
      return errorCode === 'FLAG_NOT_FOUND' ? 'not in what this environment serves' : 'it cannot be evaluated'
  }
}

/** What decided in a web experiment, which has one rule and no name for it. */
const inExperiment: Record<Exclude<ExplainedFlag['reason'], 'ERROR'>, string> = {
  DISABLED: 'the experiment does not run',
  OVERRIDE: 'always, by the list of the experiment',
  TARGETING_MATCH: 'takes part',
  SPLIT: 'takes part',
  DEFAULT: 'does not take part',
  UNIT_MISSING: 'does not take part, because the id or attribute that splits visitors is missing',
  HOLDOUT: 'does not take part, because a holdout keeps the visitor out',
}

/** Why nothing else follows from the flag: the line under its rules. */
export function elseWords({ reason, variationKey, errorCode, experimentId }: ExplainedFlag): string {
  const is = experimentId === null ? elseOfFlag : elseOfExperiment
  switch (reason) {
    case 'ERROR':
      return errorCode === 'FLAG_NOT_FOUND' ? is.missing : `${is.unreadable} ${is.missing}`
    case 'DISABLED':
      return `${is.paused}, every visitor gets ${variationKey}.`
    case 'DEFAULT':
    case 'UNIT_MISSING':
    case 'HOLDOUT':
      return `${is.out} ${variationKey}.`
    default:
      return 'Not reached.'
  }
}

const elseOfFlag = {
  missing: 'An SDK returns the default in the code.',
  unreadable: 'This version of the service cannot read the flag.',
  paused: 'While the flag is paused',
  out: 'No rule applies, so the flag gives',
}
/** The script changes a page only for who takes part. */
const elseOfExperiment: typeof elseOfFlag = {
  missing: 'The script leaves the page as it is.',
  unreadable: 'This version of the service cannot read the experiment.',
  paused: 'While the experiment does not run',
  out: 'The visitor does not take part, and gets',
}

/** Why this rule of the flag gave its value or not. */
export function ruleReason(rule: ExplainedRule, flag: ExplainedFlag, names: ConditionNames): Reason {
  const { outcome, variationKey, failed, moreFailed, traffic, split, unit } = rule
  switch (outcome) {
    case 'MATCHED': {
      const draw = split && unit !== null ? [`${unit} has bucket ${place(split.bucket)} in the split`] : []
      return { words: given(rule, flag, `Gives ${variationKey}`), details: draw }
    }
    case 'OVERRIDE':
      return {
        words: given(rule, flag, `Always gives ${variationKey}`),
        details: [`the visitor is on the list of the ${ownerOf(flag)}`],
      }
    case 'CONDITIONS_FAILED': {
      const more = moreFailed > 0 ? [`${counted(moreFailed, 'more condition')} not met`] : []
      return { words: 'Conditions not met', details: [...failed.map((each) => failedWords(each, names)), ...more] }
    }
    case 'OUTSIDE_TRAFFIC':
      return traffic
        ? {
            words: `Outside the ${percentOf(traffic.allocation)}`,
            details: [
              traffic.allocation === 0
                ? `the share of the ${ownerOf(flag)} is ${percentOf(0)}`
                : `bucket ${place(traffic.bucket)}, must be below ${place(traffic.allocation)}`,
            ],
          }
        : { words: 'Outside the share', details: [] }
    case 'OUTSIDE_GROUP':
      return {
        words: 'Taken by its exclusion group',
        details: [`the slot of the visitor belongs to another ${ownerOf(flag)}`],
      }
    case 'HOLDOUT':
      return { words: 'Kept out by its holdout', details: ['the visitor belongs to the share that gets no tests'] }
    case 'UNIT_MISSING':
      return {
        words: 'Nothing to split by',
        details: [`the visitor lacks the id or attribute that the ${ownerOf(flag)} splits by`],
      }
    case 'PAUSED':
      return { words: flag.enabled ? 'Paused' : `The ${subjectOf(flag)} is paused`, details: [] }
    case 'UNKNOWN_HASH':
    case 'ERROR':
      return {
        words: 'Cannot be evaluated',
        details: [`this version of the service does not know the ${ownerOf(flag)}`],
      }
  }
}

/** What people know in its place: a web experiment has no flag and no rule that they see. */
const subjectOf = ({ experimentId }: ExplainedFlag): string => (experimentId === null ? 'flag' : 'experiment')
const ownerOf = ({ experimentId }: ExplainedFlag): string => (experimentId === null ? 'rule' : 'experiment')

/** A rule after the deciding one is evaluated too, but gives nothing. */
const given = ({ ruleId }: ExplainedRule, flag: ExplainedFlag, words: string): string =>
  ruleId === flag.ruleId
    ? words
    : `Would match, but ${flag.rules.some(decides(flag)) ? 'an earlier rule' : `the list of the ${subjectOf(flag)}`} decided`

const decides =
  ({ ruleId }: ExplainedFlag) =>
  (rule: ExplainedRule) =>
    rule.ruleId === ruleId

const place = (bucket: number): string => bucket.toLocaleString('en')

/** "plan is pro, wanted beta": a condition that kept a rule from matching. */
export function failedWords(failed: Failed, names: ConditionNames): string {
  const inside = failed.audience === undefined ? '' : `${names.audiences?.get(failed.audience) ?? 'an audience'}: `
  return inside + ('segment' in failed ? segmentWords(failed, names) : attributeWords(failed))
}

function segmentWords({ segment, negated }: Extract<Failed, { segment: string }>, names: ConditionNames): string {
  const name = `the segment ${names.segments?.get(segment) ?? '(deleted)'}`
  return negated ? `in ${name}, which is excluded` : `not in ${name}`
}

type FailedAttribute = Extract<Failed, { attribute: string }>

function attributeWords(failed: FailedAttribute): string {
  const { attribute, operator, negated, actual } = failed
  const isTime = attribute === '$now'
  const name = isTime ? 'the time' : attribute
  const has = actual === null ? `${name} is not set` : `${name} is ${isTime ? moment(actual) : shown(actual)}`
  return `${has}, ${wantedWords(operator, failed, negated)}`
}

/** Operators whose opposite reads as a plain wish. */
const opposites: Record<string, string> = {
  equals: 'notEquals',
  notEquals: 'equals',
  in: 'notIn',
  notIn: 'in',
  exists: 'notExists',
  notExists: 'exists',
}

function wantedWords(given: string, failed: FailedAttribute, negated: boolean): string {
  const operator = (negated && opposites[given]) || given
  const list = Array.isArray(failed.value) ? failed.value : [failed.value]
  const values = oneOf(list.map(shown), maxValues)
  switch (operator) {
    case 'equals':
    case 'in':
      return `wanted ${values}`
    case 'notEquals':
    case 'notIn':
      return `wanted anything but ${values}`
    case 'exists':
      return 'wanted any value'
    case 'notExists':
      return 'wanted none'
    default: {
      const condition = { ...failed, operator: operator as Operator } as AttributeCondition
      const [, ...words] = conditionWords(condition)
      const rest = textOf(words).trim().replace(/^is /, '')
      return negated ? `not wanted: ${rest}` : `wanted: ${rest}`
    }
  }
}

function shown(value: unknown): string {
  if (value === '') return '(empty)'
  return typeof value === 'string' ? value : String(JSON.stringify(value))
}

const moment = (value: unknown): string => (typeof value === 'number' ? utcMoment(new Date(value)) : shown(value))

/** Whether a visitor gets something else from one side than from the other. */
export const differs = ({ flag, other }: Pair): boolean =>
  other !== undefined &&
  (flag.variationKey !== other.variationKey || JSON.stringify(flag.value) !== JSON.stringify(other.value))

/** The value of a flag, where it says more than the name of the variation: in a web experiment, it is that name. */
export function valueWords({ value, reason, experimentId }: ExplainedFlag): string | undefined {
  return reason === 'ERROR' || experimentId !== null || typeof value === 'boolean' ? undefined : JSON.stringify(value)
}

export interface Pair {
  flag: ExplainedFlag
  /** The same flag on the other side; absent while that side is not known. */
  other?: ExplainedFlag
}

/** Every flag of one side with the same flag of the other. A flag that only one side serves is missing on the other. */
export function paired(flags: readonly ExplainedFlag[], others: readonly ExplainedFlag[] | undefined): Pair[] {
  if (!others) return flags.map((flag) => ({ flag }))
  const there = new Map(others.map((other) => [other.flagKey, other]))
  const here = new Set(flags.map(({ flagKey }) => flagKey))
  const pairs = flags.map((flag) => ({ flag, other: there.get(flag.flagKey) ?? missingLike(flag) }))
  const added = others.filter(({ flagKey }) => !here.has(flagKey)).map((other) => ({ flag: missingLike(other), other }))
  return added.length === 0
    ? pairs
    : [...pairs, ...added].sort((one, two) => (one.flag.flagKey < two.flag.flagKey ? -1 : 1))
}

/** What a side has that does not serve the flag: it is still the flag of its experiment. */
const missingLike = ({ flagKey, experimentId }: ExplainedFlag): ExplainedFlag => ({
  flagId: null,
  experimentId,
  flagKey,
  enabled: false,
  value: null,
  variationKey: null,
  ruleId: null,
  reason: 'ERROR',
  errorCode: 'FLAG_NOT_FOUND',
  rules: [],
})
