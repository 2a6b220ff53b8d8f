import { type ConditionNames, conditionSentence } from '../conditions/condition-words.ts'
import { type Condition, isCondition, isGroup } from '../conditions/conditions.ts'
import { percentOf, whole } from '../words/percent.ts'

/** The fields of a rule that decide who gets what. */
export type RuleInWords = { audienceIds: readonly string[]; conditions: unknown; trafficAllocation: number } & (
  | { type: 'TARGETED_DELIVERY'; variationKey: string }
  | { type: 'AB_TEST'; variations: readonly { variationKey: string; weight: number }[] }
)

/** Who a rule is for, its audiences and its conditions as one tree. */
export function whoOf({ audienceIds, conditions }: Pick<RuleInWords, 'audienceIds' | 'conditions'>): Condition {
  const audiences: Condition[] = audienceIds.map((audience) => ({ audience }))
  const tree = conditions as Condition
  const isEveryone = isGroup(tree) && 'all' in tree && tree.all.length === 0
  const inAudiences: Condition[] = audiences.length > 1 ? [{ any: audiences }] : audiences
  if (isEveryone) return { all: inAudiences }
  return { all: [...inAudiences, ...('all' in tree ? tree.all : [tree])] }
}

/** Whether a rule is for all visitors: then "everyone gets", else "visitors who … get". */
export function isForEveryone(rule: RuleInWords): boolean {
  const who = whoOf(rule)
  return 'all' in who && who.all.length === 0
}

/** "get on", "off 50 %, on 50 %": what visitors get. */
export const givesOf = (rule: RuleInWords): string =>
  rule.type === 'TARGETED_DELIVERY'
    ? rule.variationKey
    : rule.variations.map(({ variationKey, weight }) => `${variationKey} ${percentOf(weight)}`).join(', ')

/** "25 %": how many of its visitors a rule gives something. */
export const shareOf = ({ trafficAllocation }: RuleInWords): string => percentOf(trafficAllocation)

export const isForAll = ({ trafficAllocation }: RuleInWords): boolean => trafficAllocation === whole

/** A rule in a text: "country is NL or BE: 50 % of them get on", "25 % of everyone get on". */
export function ruleSentence(rule: RuleInWords, names: ConditionNames): string {
  const [who, gives, share] = [conditionSentence(whoOf(rule), names), givesOf(rule), shareOf(rule)]
  if (isForAll(rule)) return `${who} ${isForEveryone(rule) ? 'gets' : 'get'} ${gives}`
  return isForEveryone(rule) ? `${share} of ${who} get ${gives}` : `${who}: ${share} of them get ${gives}`
}

/** Whether a value is a rule with all that its sentence needs: entries of the audit log can be older. */
export function isRuleInWords(value: unknown): value is RuleInWords {
  if (typeof value !== 'object' || value === null) return false
  const { type, audienceIds, conditions, trafficAllocation, variationKey, variations } = value as Record<
    string,
    unknown
  >
  if (!Array.isArray(audienceIds) || !isCondition(conditions) || typeof trafficAllocation !== 'number') return false
  return type === 'TARGETED_DELIVERY'
    ? typeof variationKey === 'string'
    : type === 'AB_TEST' && Array.isArray(variations) && variations.every(isWeight)
}

const isWeight = (each: unknown): boolean =>
  typeof each === 'object' &&
  each !== null &&
  'variationKey' in each &&
  'weight' in each &&
  typeof each.weight === 'number'
