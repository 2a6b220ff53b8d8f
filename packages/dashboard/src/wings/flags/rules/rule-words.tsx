import type { ReactNode } from 'react'
import { ConditionText } from '../../../ui/condition-text.tsx'
import type { ConditionNames } from '../../../ui/condition-words.ts'
import { givesOf, isForAll, shareOf, whoOf } from '../../../ui/rule-sentence.ts'
import type { RuleDefinition } from './rule-rows.ts'

export const Who = ({ rule, names }: { rule: RuleDefinition; names: ConditionNames }): ReactNode => (
  <ConditionText condition={whoOf(rule)} names={names} />
)

/** "on for 25 % of: in Beta users", for the question before a run. */
export const consequenceOf = (rule: RuleDefinition): string =>
  `${rule.name}: ${givesOf(rule)}${isForAll(rule) ? '' : `, for ${shareOf(rule)} of its visitors`}`
