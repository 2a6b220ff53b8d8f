import type { Condition, Flag, FlagType, Rule } from '@svc/core'
import type { AllowlistEntry, RuleDefinition, Version } from '../../model/versions/index.ts'
import { hashVisitor } from './parts.ts'

/** What the data file says of one flag is decided by these values and nothing else. */
export interface FlagState {
  id: string
  type: FlagType
  archived: boolean
  enabled: boolean
  live: Version
  /** Ids of the rules whose own switch is on. */
  enabledRules: ReadonlySet<string>
}

/** One flag's piece of the data file; null when visitors must not see the flag at all. */
export function fragmentOf(flag: FlagState): Flag | null {
  if (flag.archived) return null
  const { live } = flag
  const keyOf = keysById(live)
  const shared = {
    id: flag.id,
    type: flag.type,
    enabled: flag.enabled,
    variations: Object.fromEntries(live.variations.map(({ key, value }) => [key, value])),
  }
  // A paused flag carries no rules, so that no SDK can serve them by mistake.
  if (!flag.enabled) return { ...shared, defaultVariation: keyOf(live.pausedVariationId), rules: [] }
  const overrideSalt = `${flag.id}.`
  const overridesOf = (entries: readonly AllowlistEntry[]) => {
    const pairs = entries.flatMap(({ variationId, userIds }) =>
      userIds.map((id) => [hashVisitor(overrideSalt, id), keyOf(variationId)]),
    )
    return pairs.length > 0 ? { overrides: Object.fromEntries(pairs) as Record<string, string> } : {}
  }
  const ruleOverrides = (ruleId: string) =>
    live.overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)?.entries ?? []
  const served = {
    ...overridesOf(live.overrides.environmentAllowlist),
    rules: live.rules
      .filter(({ id }) => flag.enabledRules.has(id))
      .map((rule): Rule => ({ ...dataFileRule(rule, keyOf), ...overridesOf(ruleOverrides(rule.id)) })),
  }
  const namesVisitors = [served, ...served.rules].some(({ overrides }) => overrides)
  const defaultVariation = keyOf(live.defaultVariationId)
  return { ...shared, defaultVariation, ...(namesVisitors && { overrideSalt }), ...served }
}

function keysById(version: Version): (variationId: string) => string {
  const keys = new Map(version.variations.map(({ id, key }) => [id, key]))
  return (variationId) => {
    const key = keys.get(variationId)
    if (key === undefined) throw new Error(`live version refers to the missing variation ${variationId}`)
    return key
  }
}

function dataFileRule(rule: RuleDefinition, keyOf: (variationId: string) => string): Rule {
  const shared = {
    id: rule.id,
    when: conditionOf(rule),
    bucketBy: [rule.bucketBy],
    hashVersion: rule.hashVersion,
    salt: rule.salt,
    traffic: rule.trafficAllocation,
  }
  if (rule.type === 'TARGETED_DELIVERY') return { ...shared, type: rule.type, variation: keyOf(rule.variationId) }
  let end = 0
  const split = rule.variations.map(({ variationId, weight }) => {
    end += weight
    return { variation: keyOf(variationId), end }
  })
  return { ...shared, type: rule.type, split }
}

/** A rule's audiences narrow its conditions: any of them, and the conditions as well. */
function conditionOf(rule: RuleDefinition): Condition {
  if (rule.audienceIds.length === 0) return rule.conditions
  return { all: [{ any: rule.audienceIds.map((audience) => ({ audience })) }, rule.conditions] }
}
