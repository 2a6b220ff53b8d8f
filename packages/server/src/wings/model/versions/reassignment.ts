import { isDeepStrictEqual } from 'node:util'
import type { RuleDefinition, Version } from './version.ts'

/** True if the edit would move visitors of an A/B test to a different variation. */
export function reassigns(before: RuleDefinition, after: RuleDefinition): boolean {
  if (before.type !== 'AB_TEST' || after.type !== 'AB_TEST') return false
  return (
    before.salt !== after.salt ||
    before.bucketBy !== after.bucketBy ||
    !isDeepStrictEqual(before.variations, after.variations)
  )
}

/** Ids of the live rules whose visitors would be reassigned if the draft went live. */
export function reassigningRules(live: Version, draft: Version): string[] {
  return live.rules
    .filter((before) => draft.rules.some((after) => after.id === before.id && reassigns(before, after)))
    .map(({ id }) => id)
}
