import { type ConditionNames, conditionSentence } from '../../../ui/condition-words.ts'
import type { RuleDefinition } from './rule-rows.ts'
import { givesOf, isForAll, isForEverybody, shareOf, whoOf } from './rule-words.tsx'

/** A rule in a text: "country is NL or BE get on, 50 % of them". */
export function ruleSentence(rule: RuleDefinition, names: ConditionNames): string {
  const share = isForAll(rule) ? '' : `, ${shareOf(rule)} of them`
  return `${conditionSentence(whoOf(rule), names)} ${isForEverybody(rule) ? 'gets' : 'get'} ${givesOf(rule)}${share}`
}
