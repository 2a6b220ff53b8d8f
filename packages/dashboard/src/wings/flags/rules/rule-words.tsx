import type { ReactNode } from 'react'
import { ConditionText } from '../../../ui/condition-text.tsx'
import type { ConditionNames } from '../../../ui/condition-words.ts'
import { type Condition, isGroup } from '../../../ui/conditions.ts'
import { percentText, whole } from '../../../ui/percent.ts'
import type { RuleDefinition } from './rule-rows.ts'

/** Who a rule is for, its audiences and its conditions as one tree. */
export function whoOf({ audienceIds, conditions }: Pick<RuleDefinition, 'audienceIds' | 'conditions'>): Condition {
  const audiences: Condition[] = audienceIds.map((audience) => ({ audience }))
  const tree = conditions as Condition
  const isEverybody = isGroup(tree) && 'all' in tree && tree.all.length === 0
  const inAudiences: Condition[] = audiences.length > 1 ? [{ any: audiences }] : audiences
  if (isEverybody) return { all: inAudiences }
  return { all: [...inAudiences, ...('all' in tree ? tree.all : [tree])] }
}

export const Who = ({ rule, names }: { rule: RuleDefinition; names: ConditionNames }): ReactNode => (
  <ConditionText condition={whoOf(rule)} names={names} />
)

/** Whether a rule is for all visitors: then "everybody gets", else "visitors who … get". */
export function isForEverybody(rule: RuleDefinition): boolean {
  const who = whoOf(rule)
  return 'all' in who && who.all.length === 0
}

/** "get on", "off 50 %, on 50 %": what visitors get. */
export const givesOf = (rule: RuleDefinition): string =>
  rule.type === 'TARGETED_DELIVERY'
    ? rule.variationKey
    : rule.variations.map(({ variationKey, weight }) => `${variationKey} ${percentText(weight)} %`).join(', ')

/** "25 % of them"; nothing for everybody. */
export const shareOf = ({ trafficAllocation }: RuleDefinition): string => `${percentText(trafficAllocation)} %`

export const isForAll = ({ trafficAllocation }: RuleDefinition): boolean => trafficAllocation === whole

/** "on for 25 % of: in Beta users", for the question before a run. */
export const consequenceOf = (rule: RuleDefinition): string =>
  `${rule.name}: ${givesOf(rule)}${isForAll(rule) ? '' : `, for ${shareOf(rule)} of its visitors`}`
