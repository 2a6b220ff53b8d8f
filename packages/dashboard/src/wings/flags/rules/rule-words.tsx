import type { ReactNode } from 'react'
import { givesOf, isForAll, shareOf, whoOf } from '../../../ui/changes/rule-sentence.ts'
import { ConditionText } from '../../../ui/conditions/condition-text.tsx'
import type { ConditionNames } from '../../../ui/conditions/condition-words.ts'
import type { RuleDefinition } from './rule-rows.ts'

export const Who = ({ rule, names }: { rule: RuleDefinition; names: ConditionNames }): ReactNode => (
  <ConditionText condition={whoOf(rule)} names={names} />
)

/** "on for 25 % of: in Beta users", for the question before a run. */
export const consequenceOf = (rule: RuleDefinition): string =>
  `${rule.name}: ${givesOf(rule)}${isForAll(rule) ? '' : `, for ${shareOf(rule)} of its visitors`}`
