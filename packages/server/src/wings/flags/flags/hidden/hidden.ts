import { type Version, withoutRule } from '../../../model/versions/index.ts'
import type { Variation } from '../flag.ts'

/** A variation as the request names it. An omitted name stays, or is made from the key. */
export interface NamedVariation {
  key: string
  name?: string | undefined
}

/** Programs get the key of the variation as the value of the flag. What is kept has its id and its name. */
export const hiddenVariations = (
  wanted: readonly NamedVariation[],
  current: readonly Variation[],
  newId: () => string,
): Variation[] =>
  wanted.map(({ key, name }) => {
    const kept = current.find((each) => each.key === key)
    return { id: kept?.id ?? newId(), key, name: name ?? kept?.name ?? nameFrom(key), value: key }
  })

/** `variation-1` becomes `Variation 1`. */
function nameFrom(key: string): string {
  const words = key.replaceAll(/[-_.]+/g, ' ').trim()
  return words === '' ? key : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The draft with all variations that it has or gets, so that a rule can change from some to others. */
export const withMoreVariations = (draft: Version, variations: readonly Variation[]): Version => ({
  ...draft,
  variations: [
    ...draft.variations,
    ...variations
      .filter(({ id }) => !draft.variations.some((each) => each.id === id))
      .map(({ id, key, value }) => ({ id, key, value })),
  ],
})

/**
 * Both versions before the launch. The baseline is what everybody else gets. The live version has everything but the
 * test, so that the launch makes the test live, and nothing is staged before.
 */
export function unlaunched(
  draft: Version,
  ruleId: string,
  variations: readonly Variation[],
  baselineId: string,
): { draft: Version; live: Version } {
  const isKept = ({ variationId }: { variationId: string }) => variations.some(({ id }) => id === variationId)
  const lists = draft.overrides.ruleAllowlists.map((list) => ({ ...list, entries: list.entries.filter(isKept) }))
  const settled: Version = {
    ...draft,
    variations: variations.map(({ id, key, value }) => ({ id, key, value })),
    overrides: { ...draft.overrides, ruleAllowlists: lists.filter(({ entries }) => entries.length > 0) },
    pausedVariationId: baselineId,
    defaultVariationId: baselineId,
  }
  return { draft: settled, live: withoutRule(settled, ruleId) }
}
