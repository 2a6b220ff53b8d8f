import { percentOf } from '../../../ui/words/percent.ts'
import type { IndexedFlag } from './flag-filter.ts'

type Serving = NonNullable<IndexedFlag['states'][number]['serves']>

/** What visitors get from a running flag, in a few words: "on for 5 %", "A/B test for 20 % of a group", "3 rules". */
export function servingWords({ rules, variationKey, abTest, share, everyone }: Serving): string {
  if (rules > 1) return `${rules} rules`
  const what = abTest ? 'A/B test for' : `${variationKey} for`
  const part = share === undefined ? undefined : percentOf(share)
  if (everyone) return `${what} ${part ?? 'everyone'}`
  return `${what} ${part === undefined ? 'a group' : `${part} of a group`}`
}
