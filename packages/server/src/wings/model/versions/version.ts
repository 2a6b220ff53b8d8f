import type { Condition } from '@svc/core'
import type { WebContent } from '../web/index.ts'

/**
 * One flag in one environment: either the draft, which edits change, or the live version, which visitors get. It refers
 * to variations by id, so that a new key breaks nothing. The two are equal exactly if nothing is staged.
 */
export interface Version {
  variations: { id: string; key: string; value: string }[]
  /** The variation of every visitor while the flag is paused in the environment. */
  pausedVariationId: string
  /** The variation of a visitor whom no rule matches. */
  defaultVariationId: string
  overrides: Overrides
  /** In evaluation order. */
  rules: RuleDefinition[]
  /** What a web experiment does to pages. Absent in versions of flags; read it with `webOf`. */
  web?: WebContent
}

export interface Overrides {
  environmentAllowlist: AllowlistEntry[]
  ruleAllowlists: { ruleId: string; entries: AllowlistEntry[] }[]
}

export interface AllowlistEntry {
  variationId: string
  userIds: string[]
}

/** A flag in an environment: the row with its switch and its two versions. */
export interface FlagEnvironment {
  flagId: string
  envId: string
  enabled: boolean
  draft: Version
  live: Version
  /** False until the first run or publish has made the draft live. */
  published: boolean
  lastPublishedRevision: number | null
  /** Who staged each difference between draft and live version. */
  stagedBy: Authorship
}

/** Who made an edit, and when, as it is stored. */
export interface Edit {
  by: { type: string; id: string | null; name: string }
  at: string
  /** What it was made from, such as a file, if its author said so. */
  source?: string
}

/** The edits that staged the present changes, by the path of the change. */
export type Authorship = Record<string, Edit>

interface RuleBase {
  id: string
  /** Counted per project. Data files and addresses use it for the rule. */
  shortId: number
  /** Fixed, and unique among the drafted and live rules of the flag in the environment. */
  key: string
  name: string
  description: string | null
  audienceIds: string[]
  conditions: Condition
  bucketBy: string
  /** Basis points, 0 to 10000. */
  trafficAllocation: number
  salt: string
  hashVersion: 1
}

export interface DeliveryRule extends RuleBase {
  type: 'TARGETED_DELIVERY'
  variationId: string
  /** Absent in rules that send no exposures, so that rules from before this field equal new ones. */
  exposures?: true
}

/** How a test is judged. */
export interface Statistics {
  test: 'SEQUENTIAL' | 'FIXED_HORIZON'
  alpha: number
  correction: 'HOLM' | 'BENJAMINI_HOCHBERG' | 'NONE'
  cuped: boolean
  /** For all metrics of the test; null if each has its own. */
  conversionWindowHours: number | null
  inProgressConversions: 'EXCLUDE' | 'INCLUDE'
  plannedUnitsPerVariation: number | null
  /** How many visitors may take part in the test. Null means any number. */
  maxUnits: number | null
  minRuntimeDays: number
  minUnits: number
  minConversions: number
  autoPause: { srm: boolean; traffic: boolean; guardrailMetric: boolean }
}

type OldestSettings = 'test' | 'alpha' | 'correction' | 'cuped' | 'conversionWindowHours'

/** Rules from before a setting existed lack it. Read it with {@link statisticsOf}. */
export type StoredStatistics = Pick<Statistics, OldestSettings> & Partial<Statistics>

const laterSettings: Omit<Statistics, OldestSettings> = {
  inProgressConversions: 'EXCLUDE',
  plannedUnitsPerVariation: null,
  maxUnits: null,
  minRuntimeDays: 7,
  minUnits: 100,
  minConversions: 25,
  autoPause: { srm: false, traffic: false, guardrailMetric: false },
}

export const statisticsOf = ({ statistics }: Pick<AbTestRule, 'statistics'>): Statistics => ({
  ...laterSettings,
  ...statistics,
})

export interface AbTestRule extends RuleBase {
  type: 'AB_TEST'
  hypothesis: string | null
  /** Weights in basis points; they sum to 10000. */
  variations: { variationId: string; weight: number }[]
  baselineVariationId: string
  metrics: { primary: string[]; secondary: string[]; guardrails: string[] }
  statistics: StoredStatistics
  exclusion: Exclusion | null
  holdout: HeldOut | null
  sticky: boolean
  /** When its results were restarted with the same split, which no data file shows. Absent if they never were. */
  restarts?: string[]
}

/** The slot of a rule in an exclusion group, with what a data file needs of the group. */
export interface Exclusion {
  groupId: string
  shortId: number
  salt: string
  /** Buckets of the group, from inclusive, to exclusive. */
  from: number
  to: number
}

/** A holdout of a rule, with what a data file needs of it. */
export interface HeldOut {
  id: string
  shortId: number
  salt: string
  /** Basis points of the visitors who stay out. */
  share: number
}

export type RuleDefinition = DeliveryRule | AbTestRule

/** A rule as events name it. */
export type RuleSummary = Pick<RuleDefinition, 'id' | 'shortId' | 'name' | 'type'>

export const ruleSummary = ({ id, shortId, name, type }: RuleSummary): RuleSummary => ({ id, shortId, name, type })

export const noOverrides: Overrides = { environmentAllowlist: [], ruleAllowlists: [] }

export function firstVersion(
  variations: readonly { id: string; key: string; value: string }[],
  defaultVariationId: string,
): Version {
  return {
    variations: variations.map(({ id, key, value }) => ({ id, key, value })),
    pausedVariationId: defaultVariationId,
    defaultVariationId,
    overrides: noOverrides,
    rules: [],
  }
}

export function variationKey(version: Pick<Version, 'variations'>, variationId: string): string {
  const variation = version.variations.find(({ id }) => id === variationId)
  if (!variation) throw new Error(`the version refers to variation ${variationId}, which it does not have`)
  return variation.key
}

/** A rule in the form of the API, which names variations by key. */
export function describeRule(rule: RuleDefinition, version: Pick<Version, 'variations'>) {
  if (rule.type === 'TARGETED_DELIVERY') {
    const { variationId, exposures = false, ...rest } = rule
    return { ...rest, variationKey: variationKey(version, variationId), exposures }
  }
  const { variations, baselineVariationId, exclusion, holdout, ...rest } = rule
  return {
    ...rest,
    statistics: statisticsOf(rest),
    variations: variations.map(({ variationId, weight }) => ({
      variationKey: variationKey(version, variationId),
      weight,
    })),
    baselineVariationKey: variationKey(version, baselineVariationId),
    exclusionGroupId: exclusion?.groupId ?? null,
    holdoutId: holdout?.id ?? null,
  }
}

/** An entry whose variation is gone allows nobody in, so it is left out. */
export function describeAllowlist(entries: readonly AllowlistEntry[], { variations }: Pick<Version, 'variations'>) {
  const keys = new Map(variations.map(({ id, key }) => [id, key]))
  return entries.flatMap(({ variationId, userIds }) => {
    const variationKey = keys.get(variationId)
    return variationKey === undefined ? [] : [{ variationKey, userIds }]
  })
}

export function describeOverrides({ overrides, ...version }: Version) {
  return {
    environmentAllowlist: describeAllowlist(overrides.environmentAllowlist, version),
    ruleAllowlists: overrides.ruleAllowlists.map(({ ruleId, entries }) => ({
      ruleId,
      entries: describeAllowlist(entries, version),
    })),
  }
}

export const overrideCount = (overrides: Overrides): number =>
  [overrides.environmentAllowlist, ...overrides.ruleAllowlists.map(({ entries }) => entries)]
    .flat()
    .reduce((count, { userIds }) => count + userIds.length, 0)

/** The version without the rule and its allowlist. */
export const withoutRule = (version: Version, ruleId: string): Version => ({
  ...version,
  rules: version.rules.filter(({ id }) => id !== ruleId),
  overrides: {
    ...version.overrides,
    ruleAllowlists: version.overrides.ruleAllowlists.filter((list) => list.ruleId !== ruleId),
  },
})

/** Everything in a version that refers to one of its variations and so prevents its removal. */
export function referencesTo(
  version: Version,
  variationId: string,
): { type: 'default' | 'override' | 'rule'; id: string }[] {
  const references: { type: 'default' | 'override' | 'rule'; id: string }[] = []
  if (version.defaultVariationId === variationId || version.pausedVariationId === variationId)
    references.push({ type: 'default', id: variationId })
  const { environmentAllowlist, ruleAllowlists } = version.overrides
  const lists = [environmentAllowlist, ...ruleAllowlists.map(({ entries }) => entries)]
  if (lists.flat().some((entry) => entry.variationId === variationId))
    references.push({ type: 'override', id: variationId })
  for (const rule of version.rules) {
    const used =
      rule.type === 'TARGETED_DELIVERY' ? [rule.variationId] : rule.variations.map((each) => each.variationId)
    if (used.includes(variationId)) references.push({ type: 'rule', id: rule.id })
  }
  return references
}
