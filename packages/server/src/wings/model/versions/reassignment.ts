import { isDeepStrictEqual } from 'node:util'
import type { AbTestRule, RuleDefinition, Version } from './version.ts'

/** True if the edit would move visitors of an A/B test to a different variation. */
export function reassigns(before: RuleDefinition, after: RuleDefinition): boolean {
  if (before.type !== 'AB_TEST' || after.type !== 'AB_TEST') return false
  return (
    before.salt !== after.salt ||
    before.bucketBy !== after.bucketBy ||
    !isDeepStrictEqual(before.variations, after.variations)
  )
}

/** A rule that gives visitors a different variation than before. */
export interface Reassignment {
  ruleId: string
  /** Of the visitors who are in the test: between 0 and 1. */
  share: number
}

/** Which live rules would reassign visitors if the draft went live. */
export function reassignments(live: Version, draft: Version): Reassignment[] {
  return live.rules.flatMap((before) => {
    const after = draft.rules.find(({ id }) => id === before.id)
    return after && reassigns(before, after) ? [{ ruleId: before.id, share: movedShare(before, after) }] : []
  })
}

const allWeights = 10_000

/**
 * The share of visitors whose variation differs between two definitions of a test. With the same salt and key, a visitor
 * has the same bucket in both, so the buckets are compared. Otherwise the two variations of a visitor are independent.
 */
export function movedShare(before: RuleDefinition, after: RuleDefinition): number {
  if (before.type !== 'AB_TEST' || after.type !== 'AB_TEST') return 0
  const hasSameBuckets = before.salt === after.salt && before.bucketBy === after.bucketBy
  const later = rangesOf(after)
  let kept = 0
  for (const range of rangesOf(before))
    for (const other of later.filter(({ variationId }) => variationId === range.variationId))
      kept += hasSameBuckets
        ? Math.max(0, Math.min(range.end, other.end) - Math.max(range.start, other.start)) / allWeights
        : ((range.end - range.start) * (other.end - other.start)) / allWeights ** 2
  return 1 - kept
}

/** The buckets of each variation, of 10,000. */
function rangesOf({ variations }: AbTestRule): { variationId: string; start: number; end: number }[] {
  let start = 0
  return variations.map(({ variationId, weight }) => {
    const range = { variationId, start, end: start + weight }
    start = range.end
    return range
  })
}
