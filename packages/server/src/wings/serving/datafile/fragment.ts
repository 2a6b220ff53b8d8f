import { isDeepStrictEqual } from 'node:util'
import { type Condition, type Flag, type FlagType, type Rule, ruleDefaults } from '@svc/core'
import {
  type AllowlistEntry,
  defaultSalt,
  type FlagKind,
  type RuleDefinition,
  ruleReferences,
  type Version,
} from '../../model/versions/index.ts'
import { type NameOf, renamed } from './names.ts'
import { hashVisitor, neededBy } from './parts.ts'

/** The values that decide the fragment of a flag. Nothing else does. */
export interface FlagState {
  kind: FlagKind
  id: string
  shortId: number
  type: FlagType
  archived: boolean
  enabled: boolean
  live: Version
  /** Ids of the rules whose switch is on. */
  enabledRules: ReadonlySet<string>
}

/**
 * The fragment of a flag in the data file; null if the flag must not be in it. A hidden flag is there only while a rule of
 * it is served, because the file is public and the drafts of an experiment are not.
 */
export function fragmentOf(flag: FlagState, nameOf: NameOf): Flag | null {
  if (flag.archived) return null
  const served = servedRules(flag)
  if (flag.kind === 'WEB' && served.length === 0) return null
  const { live } = flag
  const keyOf = keysById(live)
  const shared = {
    id: String(flag.shortId),
    type: flag.type,
    enabled: flag.enabled,
    variations: Object.fromEntries(live.variations.map(({ key, value }) => [key, value])),
  }
  // Omit the rules of a paused flag, so that no SDK can serve them by mistake.
  if (!flag.enabled) return { ...shared, defaultVariation: keyOf(live.pausedVariationId) }
  const overrideSalt = defaultSalt(flag.id)
  const overridesOf = (entries: readonly AllowlistEntry[]) => {
    const pairs = entries.flatMap(({ variationId, userIds }) =>
      userIds.map((id) => [hashVisitor(overrideSalt, id), keyOf(variationId)]),
    )
    return pairs.length > 0 ? { overrides: Object.fromEntries(pairs) as Record<string, string> } : {}
  }
  const ruleOverrides = (ruleId: string) =>
    live.overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)?.entries ?? []
  const overrides = overridesOf(live.overrides.environmentAllowlist)
  const rules = served.map(
    (rule): Rule => ({ ...dataFileRule(rule, keyOf, nameOf), ...overridesOf(ruleOverrides(rule.id)) }),
  )
  const namesVisitors = [overrides, ...rules].some((each) => 'overrides' in each)
  return {
    ...shared,
    ...overrides,
    defaultVariation: keyOf(live.defaultVariationId),
    ...(namesVisitors && { overrideSalt }),
    ...(rules.length > 0 && { rules }),
  }
}

/**
 * What the flag's fragment names: ids of audiences and segments, and what it needs of groups and holdouts. A hidden flag
 * also names itself, because pages need the content of its experiment.
 */
export const servedReferences = (flag: FlagState): string[] => [
  ...new Set(
    servedRules(flag).flatMap((rule) => [
      ...ruleReferences(rule).map(({ id }) => id),
      ...(rule.type === 'AB_TEST' ? neededBy(rule) : []),
      ...(flag.kind === 'WEB' ? [flag.id] : []),
    ]),
  ),
]

const servedRules = ({ archived, enabled, live, enabledRules }: FlagState): RuleDefinition[] =>
  archived || !enabled ? [] : live.rules.filter(({ id }) => enabledRules.has(id))

function keysById(version: Version): (variationId: string) => string {
  const keys = new Map(version.variations.map(({ id, key }) => [id, key]))
  return (variationId) => {
    const key = keys.get(variationId)
    if (key === undefined) throw new Error(`live version refers to the missing variation ${variationId}`)
    return key
  }
}

function dataFileRule(rule: RuleDefinition, keyOf: (variationId: string) => string, nameOf: NameOf): Rule {
  const shared = {
    id: String(rule.shortId),
    salt: rule.salt,
    ...unlikeDefaults({
      when: conditionOf(rule, nameOf),
      bucketBy: [rule.bucketBy],
      hashVersion: rule.hashVersion,
      traffic: rule.trafficAllocation,
    }),
  }
  if (rule.type === 'TARGETED_DELIVERY') {
    const { type, variationId, exposures } = rule
    return { ...shared, type, variation: keyOf(variationId), ...(exposures && { exposures }) }
  }
  let end = 0
  const split = rule.variations.map(({ variationId, weight }) => {
    end += weight
    return { variation: keyOf(variationId), end }
  })
  const { exclusion, holdout, sticky } = rule
  return {
    ...shared,
    type: rule.type,
    split,
    ...(exclusion && { group: String(exclusion.shortId) }),
    ...(holdout && { holdout: String(holdout.shortId) }),
    ...(sticky && { sticky }),
  }
}

/** A rule matches visitors who are in any of its audiences and meet its conditions. */
function conditionOf({ audienceIds, conditions }: RuleDefinition, nameOf: NameOf): Condition {
  const own = renamed(conditions, nameOf)
  if (audienceIds.length === 0) return own
  const audiences = { any: audienceIds.map((id) => ({ audience: nameOf('audience', id) })) }
  return isDeepStrictEqual(own, ruleDefaults.when) ? audiences : { all: [audiences, own] }
}

function unlikeDefaults(fields: typeof ruleDefaults): Partial<typeof ruleDefaults> {
  const defaults = new Map<string, unknown>(Object.entries(ruleDefaults))
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(value, defaults.get(field))),
  )
}
