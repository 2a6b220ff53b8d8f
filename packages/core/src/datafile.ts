import { bucketCount } from './bucketing/bucket.ts'
import type { Condition, Segment } from './conditions/conditions.ts'
import { isRecord } from './record.ts'

/** Maximum size of a data file in bytes, before compression. SDKs refuse larger files, so the service makes none. */
export const maxDataFileBytes = 20_000_000

/** The only schema version that this build reads. */
export const schemaVersion = 1

/** What an environment serves. It follows from the live versions and switches alone, and it is public. */
export type DataFile = {
  /** The version of this format. SDKs refuse a file with a different one. */
  schemaVersion: 1
  /** Rises by one with every change of the bytes. */
  revision: number
  /** The environment whose flags these are. */
  environment: { id: string; key: string }
  /** ISO 8601 in UTC; null before the first publish. */
  publishedAt: string | null
  /** By audience id. */
  audiences: Record<string, Condition>
  /** By segment id; absent if no rule uses a segment. */
  segments?: Record<string, Segment>
  /** By exclusion group key. */
  exclusionGroups: Record<string, ExclusionGroup>
  /** By holdout key; absent if no rule has one. */
  holdouts?: Record<string, Holdout>
  /** By flag key. */
  flags: Record<string, Flag>
  /** By event key. */
  events: Record<string, { id: string }>
}

/** A visitor enters at most one rule of a group. A slot covers the buckets `from` (inclusive) to `to` (exclusive). */
export type ExclusionGroup = { salt: string; slots: { ruleId: string; from: number; to: number }[] }

/** The visitors whose bucket is below `share` stay out of every rule that names the holdout. */
export type Holdout = { salt: string; share: number }

/** A flag as visitors get it. If `enabled` is false, every visitor gets the default variation. */
export type Flag = {
  id: string
  type: FlagType
  enabled: boolean
  /** Variation key to value as a string: `true` or `false` for a BOOLEAN flag, JSON for a NUMBER or JSON flag. */
  variations: Record<string, string>
  defaultVariation: string
  /** User id (targeting key) to variation key. */
  overrides?: Record<string, string>
  /** If present, the overrides of the flag and of its rules name users by `hashId` with this salt. */
  overrideSalt?: string
  /** In evaluation order. Default: none. */
  rules?: Rule[]
}

/** The type of the values of a flag. */
export type FlagType = 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'

/** Any JSON value, read-only. */
export type JsonValue = boolean | string | number | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A running rule. Paused rules are not in the file. */
export type Rule = DeliveryRule | TestRule

/** Gives one variation to the visitors who match. */
export type DeliveryRule = RuleBase & {
  type: 'TARGETED_DELIVERY'
  variation: string
  /** Whether clients send exposures of its visitors. A test always measures. Default: false. */
  exposures?: boolean
}

/** Splits the visitors who match. `end` is the exclusive upper bound of a variation's buckets; the last is 10000. */
export type TestRule = RuleBase & { type: 'AB_TEST'; split: { variation: string; end: number }[] }

type RuleBase = {
  id: string
  /** Default: matches every visitor. */
  when?: Condition
  /** Attributes that make up the bucketing unit, joined by dots. Default: the targeting key. */
  bucketBy?: string[]
  /** 1, the default, means `bucket`. This build matches no visitor to a rule with a different version. */
  hashVersion?: number
  salt: string
  /** Traffic allocation in basis points, 0 to 10000. Default: 10000. */
  traffic?: number
  /** User id (targeting key) to variation key. */
  overrides?: Record<string, string>
  /** Key of its exclusion group. */
  group?: string
  /** Key of its holdout. */
  holdout?: string
  /** Whether clients with a store keep the variation of a unit. */
  sticky?: boolean
}

type RuleDefaults = Required<Pick<RuleBase, 'when' | 'bucketBy' | 'hashVersion' | 'traffic'>>

/** The values of omitted fields of a rule. */
export const ruleDefaults: RuleDefaults = {
  when: { all: [] },
  bucketBy: ['targetingKey'],
  hashVersion: 1,
  traffic: bucketCount,
}

/** A rule with its omitted fields filled in. A field that is present keeps its value, even null. */
export type WholeRule = Rule & RuleDefaults

export const wholeRule = (rule: Rule): WholeRule => ({ ...ruleDefaults, ...rule })

/**
 * Checks that a parsed JSON document is a data file that this build can serve: schema version, revision, flags.
 * Each flag is checked when it is first evaluated, so a malformed flag does not affect the others.
 *
 * @returns the same object, or undefined if it is not a data file
 */
export function parseDataFile(value: unknown): DataFile | undefined {
  if (!isRecord(value) || value.schemaVersion !== schemaVersion) return undefined
  return Number.isSafeInteger(value.revision) && isRecord(value.flags) ? (value as DataFile) : undefined
}
