import { bucketCount } from './bucket.ts'
import type { Condition, Segment } from './conditions.ts'
import { isRecord } from './record.ts'

/** What SDKs read of a data file, and so the most that a service may make: bytes before compression. */
export const maxDataFileBytes = 20_000_000

/** The only schema version that this build reads. */
export const schemaVersion = 1

/** What one environment serves: a pure function of its live versions and its switches. It is public. */
export type DataFile = {
  schemaVersion: 1
  /** Rises by one with every change of the bytes. */
  revision: number
  environment: { id: string; key: string }
  /** ISO 8601 in UTC; null before the first publish. */
  publishedAt: string | null
  /** By audience id. */
  audiences: Record<string, Condition>
  /** By segment id; absent where no rule needs one. */
  segments?: Record<string, Segment>
  /** By exclusion group key. */
  exclusionGroups: Record<string, ExclusionGroup>
  /** By flag key. */
  flags: Record<string, Flag>
  /** By event key. */
  events: Record<string, { id: string }>
}

/** Rules of one group share no visitor: each holds the buckets of its slots, `from` inclusive, `to` exclusive. */
export type ExclusionGroup = { salt: string; slots: { ruleId: string; from: number; to: number }[] }

/** A flag as visitors get it; `enabled: false` serves the default variation to everybody. */
export type Flag = {
  id: string
  type: FlagType
  enabled: boolean
  /** Variation key to value as text: of a BOOLEAN flag `true` or `false`, of a NUMBER or JSON flag its JSON. */
  variations: Record<string, string>
  defaultVariation: string
  /** User id (targeting key) to variation key. */
  overrides?: Record<string, string>
  /** Given: the overrides of the flag and of its rules name users by `hashId` under this salt. */
  overrideSalt?: string
  /** In evaluation order; left out: none. */
  rules?: Rule[]
}

/** What the values of a flag are. */
export type FlagType = 'BOOLEAN' | 'STRING' | 'NUMBER' | 'JSON'

/** What JSON can say. */
export type JsonValue = boolean | string | number | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A running rule; paused ones are left out of the file. */
export type Rule = DeliveryRule | TestRule

/** Gives one variation to the visitors that it targets. */
export type DeliveryRule = RuleBase & { type: 'TARGETED_DELIVERY'; variation: string }

/** Splits the visitors that it targets; `end` is the upper bound of a variation's buckets, the last is 10000. */
export type TestRule = RuleBase & { type: 'AB_TEST'; split: { variation: string; end: number }[] }

type RuleBase = {
  id: string
  /** Left out: everybody. */
  when?: Condition
  /** Attributes that make up the unit, joined by a dot; left out: the targeting key. */
  bucketBy?: string[]
  /** 1, also where it is left out: see `bucket`. A rule with another version matches nobody in this build. */
  hashVersion?: number
  salt: string
  /** Traffic allocation in basis points, 0 to 10000; left out: 10000. */
  traffic?: number
  /** User id (targeting key) to variation key. */
  overrides?: Record<string, string>
  /** Key of its exclusion group. */
  group?: string
  sticky?: boolean
}

type RuleDefaults = Required<Pick<RuleBase, 'when' | 'bucketBy' | 'hashVersion' | 'traffic'>>

/** What a rule means by what it leaves out. */
export const ruleDefaults: RuleDefaults = {
  when: { all: [] },
  bucketBy: ['targetingKey'],
  hashVersion: 1,
  traffic: bucketCount,
}

/** A rule with what it leaves out. A field that is there keeps its value, even null. */
export type WholeRule = Rule & RuleDefaults

export const wholeRule = (rule: Rule): WholeRule => ({ ...ruleDefaults, ...rule })

/**
 * Checks that a parsed JSON document is a data file that this build can serve: schema version, revision, flags.
 * Flags are looked at when they are first evaluated, so one malformed flag takes no other with it.
 *
 * @returns the same object, or undefined when it is not one
 */
export function parseDataFile(value: unknown): DataFile | undefined {
  if (!isRecord(value) || value.schemaVersion !== schemaVersion) return undefined
  return Number.isSafeInteger(value.revision) && isRecord(value.flags) ? (value as DataFile) : undefined
}
