import type { Evaluation } from './answer.ts'
import { compileAttribute, compileUnit } from './attribute.ts'
import { bucket, bucketCount } from './bucketing/bucket.ts'
import { type AttributeCondition, type Condition, compileCondition } from './conditions/conditions.ts'
import type { DataFile, Flag, Rule, WholeRule } from './datafile.ts'
import { wholeRule } from './datafile.ts'
import { compile, type EvaluationContext } from './evaluate.ts'
import { own } from './record.ts'

/**
 * The outcome of a rule for a visitor.
 * - OVERRIDE, MATCHED: the rule gives a variation.
 * - CONDITIONS_FAILED: see `failed`.
 * - UNIT_MISSING: the context lacks the bucketing unit of the rule.
 * - HOLDOUT: the holdout of the rule keeps the visitor out.
 * - OUTSIDE_GROUP: the bucket in the exclusion group does not belong to this rule.
 * - OUTSIDE_TRAFFIC: see `traffic`.
 * - UNKNOWN_HASH: this build does not know the hash version of the rule.
 * - ERROR: the rule is malformed.
 */
export type RuleOutcome =
  | 'OVERRIDE'
  | 'MATCHED'
  | 'CONDITIONS_FAILED'
  | 'UNIT_MISSING'
  | 'HOLDOUT'
  | 'OUTSIDE_GROUP'
  | 'OUTSIDE_TRAFFIC'
  | 'UNKNOWN_HASH'
  | 'ERROR'

/** A condition that keeps a rule from matching: a test of an attribute, or membership in a segment. */
export type FailedCondition = (
  | (AttributeCondition & {
      /** The value in the context; null if it is missing. */
      actual: unknown
    })
  | { segment: string }
) & {
  /** True if the condition is inside a `not`: the condition holds, but must not. */
  negated: boolean
  /** The innermost audience that contains the condition; absent if it is in the rule itself. */
  audience?: string
}

/** The outcome of one rule by itself. Buckets are from 0 to 9999; null if none was drawn. */
export type RuleExplanation = {
  ruleId: string
  outcome: RuleOutcome
  variationKey: string | null
  failed: FailedCondition[]
  /** The bucketing unit, as read from the context. */
  unit: string | null
  /** The visitor enters if the bucket is below the allocation. */
  traffic: { bucket: number; allocation: number } | null
  split: { bucket: number } | null
}

/** An evaluation with every rule of the flag, in evaluation order, including those after the rule that decided. */
export type Explanation = Evaluation & { rules: RuleExplanation[] }

/**
 * Evaluates a flag and says of each rule why it did or did not match. The answer equals `compile(file).evaluate`.
 *
 * @param now epoch milliseconds
 * @example explain(file, 'one-page-checkout', { targetingKey: 'u-17' }, Date.now()).rules[0]?.outcome // 'MATCHED'
 */
export function explain(file: DataFile, flagKey: string, context: EvaluationContext, now: number): Explanation {
  const evaluation = compile(file).evaluate(flagKey, context, now)
  const flag = own(file.flags, flagKey)
  // Rules of a paused flag are not evaluated, and they can be missing.
  if (!flag?.enabled || evaluation.errorCode === 'PARSE_ERROR') return { ...evaluation, rules: [] }
  const { rules = [] } = flag
  return { ...evaluation, rules: rules.map((rule) => explainRule(file, flag, rule, context, now)) }
}

function explainRule(
  file: DataFile,
  flag: Flag,
  given: Rule,
  context: EvaluationContext,
  now: number,
): RuleExplanation {
  const rule = wholeRule(given)
  const { overrides: _overrides, ...rest } = flag
  const alone = { ...file, flags: { alone: { ...rest, rules: [rule] } } }
  const { reason, variationKey } = compile(alone).evaluate('alone', context, now)
  const found = { ruleId: rule.id, variationKey: null, failed: [], unit: null, traffic: null, split: null }
  if (reason === 'OVERRIDE') return { ...found, outcome: reason, variationKey }
  if (reason === 'ERROR') return { ...found, outcome: reason }
  const failed = failedConditions(rule.when, file, context, now)
  const drawn = drawFor(rule, context)
  if (reason === 'UNIT_MISSING') return { ...found, outcome: reason }
  if (reason === 'HOLDOUT') return { ...found, ...drawn, split: null, outcome: reason }
  if (reason === 'TARGETING_MATCH' || reason === 'SPLIT')
    return { ...found, ...drawn, outcome: 'MATCHED', variationKey }
  if (rule.hashVersion !== knownHashVersion) return { ...found, outcome: 'UNKNOWN_HASH' }
  if (failed.length > 0 || !compileCondition(rule.when, file)(context, now))
    return { ...found, outcome: 'CONDITIONS_FAILED', failed }
  const outside = drawn.traffic && drawn.traffic.bucket >= drawn.traffic.allocation
  return { ...found, ...drawn, split: null, outcome: outside ? 'OUTSIDE_TRAFFIC' : 'OUTSIDE_GROUP' }
}

const knownHashVersion = 1

function drawFor(rule: WholeRule, context: EvaluationContext): Pick<RuleExplanation, 'unit' | 'traffic' | 'split'> {
  const parts = rule.bucketBy.map((name) => compileUnit(name)(context))
  if (parts.includes(undefined)) return { unit: null, traffic: null, split: null }
  const unit = parts.join('.')
  return {
    unit,
    traffic:
      rule.traffic < bucketCount ? { bucket: bucket(`${rule.salt}.traffic`, unit), allocation: rule.traffic } : null,
    split: rule.type === 'AB_TEST' ? { bucket: bucket(`${rule.salt}.split`, unit) } : null,
  }
}

/**
 * The tests that keep a condition from holding for a visitor; empty if it holds.
 *
 * @param file where audiences and segments of the condition are
 * @param now epoch milliseconds
 * @example failedConditions({ attribute: 'plan', operator: 'exists' }, {}, {}, Date.now()).length // 1
 */
export function failedConditions(
  condition: Condition,
  file: Pick<DataFile, 'audiences' | 'segments'>,
  context: EvaluationContext,
  now: number,
): FailedCondition[] {
  const holds = (child: Condition) => compileCondition(child, file)(context, now)
  const blame = (child: Condition, wanted: boolean, inside: readonly string[]): FailedCondition[] => {
    if (holds(child) === wanted) return []
    if ('not' in child) return blame(child.not, !wanted, inside)
    const children = 'all' in child ? child.all : 'any' in child ? child.any : undefined
    if (children) return children.flatMap((each) => blame(each, wanted, inside))
    if ('audience' in child) {
      const members = inside.includes(child.audience) ? undefined : own(file.audiences, child.audience)
      return members ? blame(members, wanted, [...inside, child.audience]) : []
    }
    const audience = inside.at(-1)
    const where = { negated: !wanted, ...(audience !== undefined && { audience }) }
    if ('segment' in child) return [{ segment: child.segment, ...where }]
    const test = child as AttributeCondition
    return [{ ...test, actual: compileAttribute(test.attribute)(context, now) ?? null, ...where }]
  }
  return blame(condition, true, [])
}
