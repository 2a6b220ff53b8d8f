import type { Session } from '../session.ts'
import { inLowerCase } from './recommendation.ts'

/** What all ways of evaluating answer of a flag. */
export interface Answered {
  flagKey: string
  value?: unknown
  variationKey: string | null
  reason: string
  errorCode?: string | null
  rules: { ruleId: string; name?: string; outcome: string; variationKey: string | null }[]
}

/** Prints what a visitor gets, and why. */
export function showOne(
  { flagKey, value, variationKey, reason, errorCode, rules }: Answered,
  { output }: Session,
): void {
  output.details([
    ['Flag', flagKey],
    ['Value', JSON.stringify(value)],
    ['Variation', variationKey],
    ['Reason', errorCode ?? reason],
  ])
  if (rules.length === 0) return
  output.line()
  output.rows(
    [
      { head: 'RULE', cell: ({ name, ruleId }) => name ?? ruleId },
      { head: 'OUTCOME', cell: ({ outcome }) => inLowerCase(outcome) },
      { head: 'VARIATION', cell: ({ variationKey: key }) => key },
    ],
    rules,
    '',
  )
}
