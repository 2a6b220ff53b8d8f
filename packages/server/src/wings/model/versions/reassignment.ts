import { isDeepStrictEqual } from 'node:util'
import type { RuleDefinition, Version } from './version.ts'

/** True when the edit would give visitors of an A/B test another variation than the one they have seen. */
export function reassigns(before: RuleDefinition, after: RuleDefinition): boolean {
  if (before.type !== 'AB_TEST' || after.type !== 'AB_TEST') return false
  return (
    before.salt !== after.salt ||
    before.bucketBy !== after.bucketBy ||
    !isDeepStrictEqual(before.variations, after.variations)
  )
}

/** Ids of the live rules that taking the draft live would reassign. */
export function reassigningRules(live: Version, draft: Version): string[] {
  return live.rules
    .filter((before) => draft.rules.some((after) => after.id === before.id && reassigns(before, after)))
    .map(({ id }) => id)
}
