import type { Data } from '@svc/client'
import type { ConditionNames } from '../../../../ui/conditions/condition-words.ts'
import type { Tone } from '../../../../ui/status/status-words.ts'
import { allOf } from '../../../../ui/words/lists.ts'
import { ruleReason } from '../../../flags/playground/reasons.ts'

export type Trial = Data<'/api/v1/projects/{projectId}/experiments/{experimentId}/try', 'post'>

interface Tried {
  pages: readonly { key: string; name: string }[]
  variations: readonly { key: string; name: string }[]
  baselineVariationKey: string
}

export interface TrialWords {
  tone: Tone
  /** What the visitor gets on this address. */
  headline: string
  /** Why, in short sentences. */
  reasons: string[]
}

/** What a visitor gets on an address, and why. */
export function trialWords({ pages: keys, evaluation }: Trial, tried: Tried, names: ConditionNames): TrialWords {
  const nameOf = (key: string | null) =>
    tried.variations.find((each) => each.key === key)?.name ?? key ?? 'the baseline'
  const original = nameOf(tried.baselineVariationKey)
  const given = nameOf(evaluation.variationKey)
  const { reason, rules, errorCode } = evaluation
  const why = rules[0] ? whyOf(rules[0], evaluation, names) : []
  const isIn = reason === 'SPLIT' || reason === 'TARGETING_MATCH' || reason === 'OVERRIDE'
  if (reason === 'ERROR')
    return errorCode === 'FLAG_NOT_FOUND'
      ? words('note', `The visitor sees ${original}.`, ['The experiment is not served now.'])
      : words('warning', `The visitor sees ${original}.`, ['This version of the service cannot read the experiment.'])
  if (keys.length === 0)
    return words('note', `The visitor sees ${original} and is not counted.`, [
      'This address is no page of the experiment.',
      ...(isIn ? [`On its pages, the visitor gets ${given}.`] : []),
    ])
  const here = `The address is ${allOf(keys.map((key) => tried.pages.find((page) => page.key === key)?.name ?? key))}.`
  switch (reason) {
    case 'SPLIT':
    case 'TARGETING_MATCH':
      return words('good', `The visitor gets ${given} and is counted.`, [here, ...why])
    case 'OVERRIDE':
      return words('good', `The visitor always gets ${given} and is not counted.`, [
        here,
        'The id is on the list of individual visitors.',
      ])
    case 'UNIT_MISSING':
      return words('warning', `The visitor sees ${original} and is not counted.`, [
        'Without a visitor id, nobody can be assigned to a variation. Enter one.',
      ])
    case 'HOLDOUT':
      return words('note', `The visitor sees ${original} and is not counted.`, [
        here,
        'A holdout keeps the visitor out of all tests.',
      ])
    default:
      return words('note', `The visitor sees ${original} and is not counted.`, [here, ...why])
  }
}

const words = (tone: Tone, headline: string, reasons: string[]): TrialWords => ({ tone, headline, reasons })

/** Why the test is for this visitor or not. */
function whyOf(
  rule: Trial['evaluation']['rules'][number],
  evaluation: Trial['evaluation'],
  names: ConditionNames,
): string[] {
  switch (rule.outcome) {
    case 'OUTSIDE_GROUP':
      return ['Another test of the exclusion group has this visitor.']
    case 'PAUSED':
      return ['The experiment is paused.']
    default:
      return ruleReason(rule, evaluation, names).details.map((each) => `${each}.`)
  }
}
