import { isDeepStrictEqual } from 'node:util'
import {
  describeOverrides,
  describeRule,
  type RuleDefinition,
  type RuleSummary,
  ruleSummary,
  type Version,
  variationKey,
} from './version.ts'

export interface Difference {
  path: string
  from: unknown
  to: unknown
}

export interface Staged {
  /** The drafted default variation, or null when it is the live one. */
  defaultVariationId: string | null
  variations: boolean
  overrides: boolean
  /** How many rules were created, edited, moved or deleted since the last publish. */
  rules: number
}

/** What the next publish would change, as a list to review before publishing. */
export function differences(live: Version, draft: Version): Difference[] {
  const found: Difference[] = []
  const compare = (path: string, from: unknown, to: unknown) => {
    if (!isDeepStrictEqual(from, to)) found.push({ path, from, to })
  }
  for (const { id, key } of [...live.variations, ...draft.variations.filter((each) => !variationOf(live, each.id))])
    compare(`variations.${key}`, keyAndValue(live, id), keyAndValue(draft, id))
  compare('variationOrder', ...both(live, draft, (version) => version.variations.map(({ id }) => id)))
  compare('pausedVariationKey', ...both(live, draft, (version) => variationKey(version, version.pausedVariationId)))
  compare('defaultVariationKey', ...both(live, draft, (version) => variationKey(version, version.defaultVariationId)))
  compare('overrides', ...both(live, draft, describeOverrides))
  for (const id of new Set([...live.rules, ...draft.rules].map((rule) => rule.id)))
    found.push(...ruleDifferences(id, live, draft))
  compare('ruleOrder', ...both(live, draft, (version) => version.rules.map(({ id }) => id)))
  return found
}

export function stagedBetween(live: Version, draft: Version): Staged {
  return {
    defaultVariationId: draft.defaultVariationId === live.defaultVariationId ? null : draft.defaultVariationId,
    variations:
      !isDeepStrictEqual(live.variations, draft.variations) || live.pausedVariationId !== draft.pausedVariationId,
    overrides: !isDeepStrictEqual(live.overrides, draft.overrides),
    rules: stagedRules(live, draft).size,
  }
}

export const hasStagedChanges = (live: Version, draft: Version): boolean => !isDeepStrictEqual(live, draft)

/** Ids of the rules that the next publish would create, change, move or delete. */
export function stagedRules(live: Version, draft: Version): Set<string> {
  const staged = new Set<string>()
  const kept = (one: Version, other: Version) => one.rules.filter(({ id }) => ruleOf(other, id)).map(({ id }) => id)
  const liveOrder = kept(live, draft)
  for (const [position, id] of kept(draft, live).entries()) if (liveOrder[position] !== id) staged.add(id)
  for (const { id } of [...live.rules, ...draft.rules])
    if (!isDeepStrictEqual(ruleOf(live, id), ruleOf(draft, id))) staged.add(id)
  return staged
}

/** The staged rules as they will be; deleted rules as they were. */
export function stagedRuleSummaries(live: Version, draft: Version): RuleSummary[] {
  const rules = [...stagedRules(live, draft)].map((id) => ruleOf(draft, id) ?? ruleOf(live, id))
  return rules.filter((rule) => rule !== undefined).map(ruleSummary)
}

/** Ids of the rules that cease to exist when the draft goes live. */
export const droppedRules = (live: Version, draft: Version): string[] =>
  live.rules.filter(({ id }) => !ruleOf(draft, id)).map(({ id }) => id)

const both = <Value>(live: Version, draft: Version, of: (version: Version) => Value): [Value, Value] => [
  of(live),
  of(draft),
]

const ruleOf = (version: Version, ruleId: string): RuleDefinition | undefined =>
  version.rules.find(({ id }) => id === ruleId)

const variationOf = (version: Version, variationId: string) => version.variations.find(({ id }) => id === variationId)

function keyAndValue(version: Version, variationId: string) {
  const variation = variationOf(version, variationId)
  return variation ? { key: variation.key, value: variation.value } : null
}

function ruleDifferences(ruleId: string, live: Version, draft: Version): Difference[] {
  const before = ruleOf(live, ruleId)
  const after = ruleOf(draft, ruleId)
  const from = before ? describeRule(before, live) : null
  const to = after ? describeRule(after, draft) : null
  if (!from || !to) return [{ path: `rules.${ruleId}`, from, to }]
  return Object.keys({ ...from, ...to })
    .map((field) => ({
      path: `rules.${ruleId}.${field}`,
      from: from[field as keyof typeof from],
      to: to[field as keyof typeof to],
    }))
    .filter((difference) => !isDeepStrictEqual(difference.from, difference.to))
}
