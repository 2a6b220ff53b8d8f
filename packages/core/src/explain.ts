import type { Evaluation } from './answer.ts'
import { compileAttribute, compileUnit } from './attribute.ts'
import { bucket, bucketCount } from './bucket.ts'
import { type AttributeCondition, type Condition, compileCondition } from './conditions.ts'
import type { DataFile, Flag, Rule, WholeRule } from './datafile.ts'
import { wholeRule } from './datafile.ts'
import { compile, type EvaluationContext } from './evaluate.ts'
import { own } from './record.ts'

/**
 * What a rule makes of a visitor. OVERRIDE and MATCHED give a variation; CONDITIONS_FAILED see `failed`; UNIT_MISSING
 * the context lacks what the rule buckets by; OUTSIDE_GROUP the unit's place in the exclusion group is another rule's;
 * OUTSIDE_TRAFFIC see `traffic`; UNKNOWN_HASH this build does not know the rule's hash version; ERROR it is malformed.
 */
export type RuleOutcome =
  | 'OVERRIDE'
  | 'MATCHED'
  | 'CONDITIONS_FAILED'
  | 'UNIT_MISSING'
  | 'OUTSIDE_GROUP'
  | 'OUTSIDE_TRAFFIC'
  | 'UNKNOWN_HASH'
  | 'ERROR'

/** What keeps a rule from matching: a question about one attribute, or about being in a segment. */
export type FailedCondition = (
  | (AttributeCondition & {
      /** What the context holds; null where it holds nothing. */
      actual: unknown
    })
  | { segment: string }
) & {
  /** The question stands under a `not`: it was answered with yes and should not have been. */
  negated: boolean
  /** The audience that asks it, where it is not the rule itself: the innermost. */
  audience?: string
}

/** One rule, asked by itself. Buckets are basis points, 0 to 9999; null where none was drawn. */
export type RuleExplanation = {
  ruleId: string
  outcome: RuleOutcome
  variationKey: string | null
  failed: FailedCondition[]
  /** What the rule buckets by, as it was read from the context. */
  unit: string | null
  /** The visitor enters where the bucket is below the allocation. */
  traffic: { bucket: number; allocation: number } | null
  split: { bucket: number } | null
}

/** An evaluation with every rule of the flag, in evaluation order; those behind the deciding one as well. */
export type Explanation = Evaluation & { rules: RuleExplanation[] }

/**
 * Evaluates a flag and tells of each rule why it matched or did not. The answer is that of `compile(file).evaluate`.
 *
 * @param now epoch milliseconds
 * @example explain(file, 'one-page-checkout', { targetingKey: 'u-17' }, Date.now()).rules[0]?.outcome // 'MATCHED'
 */
export function explain(file: DataFile, flagKey: string, context: EvaluationContext, now: number): Explanation {
  const evaluation = compile(file).evaluate(flagKey, context, now)
  const flag = own(file.flags, flagKey)
  // Of a paused flag nobody is asked anything, and it may have no rules at all.
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
  const failed = failures(rule.when, file, context, now)
  const drawn = drawFor(rule, context)
  if (reason === 'UNIT_MISSING') return { ...found, outcome: reason }
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

/** The questions that keep a condition from holding; none where it holds. */
function failures(condition: Condition, file: DataFile, context: EvaluationContext, now: number): FailedCondition[] {
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
