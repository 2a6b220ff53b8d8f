import { oneName } from '@svc/core'
import {
  bodyOf,
  conditions,
  type Difference,
  entryOf,
  type Fields,
  fieldInFile,
  name,
  percent,
  recordOf,
  withoutDefaults,
} from './objects.ts'

/**
 * The fields of a rule that have the same meaning in both types. `enabled` and `salt` are managed only if the file has
 * them.
 */
const ofEvery = [
  name,
  { file: 'description', default: null },
  { file: 'enabled' },
  { file: 'audiences', api: 'audienceIds', default: [] },
  { file: 'conditions', default: { all: [] }, codec: conditions },
  { file: 'bucketBy', default: 'targetingKey' },
  { file: 'traffic', api: 'trafficAllocation', default: 10_000, codec: percent },
  { file: 'salt' },
] as const
const ofDelivery = [
  { file: 'variation', api: 'variationKey' },
  { file: 'exposures', default: false },
] as const
const split = {
  toFile: (list: unknown) =>
    recordOf(
      (list as Fields[]).map(({ variationKey, weight }) => [variationKey as string, percent.toFile(weight)] as const),
    ),
  toApi: (shares: unknown) =>
    Object.entries(shares as Fields).map(([variationKey, share]) => ({ variationKey, weight: percent.toApi(share) })),
}
const noMetrics = { primary: [], secondary: [], guardrails: [] }
const metrics = {
  toFile: (lists: unknown) => withoutDefaults(lists as Fields, noMetrics),
  toApi: (lists: unknown) => ({ ...noMetrics, ...(lists as Fields) }),
}
const noAutoPause = { srm: false, traffic: false, guardrailMetric: false }
/** The defaults that the service fills in. */
export const usualStatistics: Fields = {
  test: 'SEQUENTIAL',
  alpha: 0.05,
  correction: 'HOLM',
  cuped: false,
  conversionWindowHours: null,
  inProgressConversions: 'EXCLUDE',
  plannedUnitsPerVariation: null,
  maxUnits: null,
  minRuntimeDays: 7,
  minUnits: 100,
  minConversions: 25,
  autoPause: noAutoPause,
}
const statistics = {
  toFile: (value: unknown) => withoutDefaults(value as Fields, usualStatistics),
  toApi: (value: unknown) => {
    const given = value as Fields
    return { ...usualStatistics, ...given, autoPause: { ...noAutoPause, ...(given.autoPause as Fields) } }
  },
}
const ofTest = [
  { file: 'split', api: 'variations', codec: split },
  { file: 'baseline', api: 'baselineVariationKey' },
  { file: 'hypothesis', default: null },
  { file: 'metrics', default: noMetrics, codec: metrics },
  { file: 'statistics', default: usualStatistics, codec: statistics },
  { file: 'exclusionGroup', api: 'exclusionGroupId', default: null },
  { file: 'holdout', api: 'holdoutId', default: null },
  { file: 'sticky', default: false },
] as const

const fieldsOf = (type: unknown) => [...ofEvery, ...(type === 'AB_TEST' ? ofTest : ofDelivery)]

/** A rule of the file as an item of `PUT …/draft`, or the place of a rule that an experiment owns. */
export type RuleBody = Fields & { key: string; type: string }

export function ruleBody(entry: Fields): RuleBody {
  const key = entry.key as string
  if (entry.experiment !== undefined) return { key, type: 'UNCHANGED' }
  const type = entry.split === undefined ? 'TARGETED_DELIVERY' : 'AB_TEST'
  const baseline = type === 'AB_TEST' && { baseline: entry.baseline ?? Object.keys(entry.split as Fields)[0] }
  return { key, type, ...bodyOf(fieldsOf(type), { name: key, ...entry, ...baseline }) }
}

/** The entry of the file for such a body. */
export const ruleEntry = (body: RuleBody, experiment: number | undefined): Fields => ({
  key: body.key,
  ...(experiment === undefined ? entryOf(fieldsOf(body.type), body) : { experiment }),
})

/** A field of a rule that differs, as the file writes it. */
export const ruleFieldInFile = (field: Difference): Difference =>
  fieldInFile([...ofEvery, ...ofDelivery, ...ofTest], field)

/** What a flag has in an environment. Undefined fields are not managed. */
export interface Drafted {
  enabled: boolean | undefined
  defaultVariationKey: string
  rules: RuleBody[]
  overrides: Fields | undefined
}

export interface WantedFlag {
  /** As `POST …/flags` takes them, without variations. */
  body: Fields
  type: string
  variations: { key: string; name: string; value: string }[]
  defaultVariationKey: string
  environments: Record<string, Drafted>
}

const ofFlag = [
  name,
  { file: 'description', default: null },
  { file: 'tags', default: [] },
  { file: 'owner' },
  { file: 'permanent', default: false },
  { file: 'valueSchema', default: null },
] as const

export const flagFields = ofFlag.map(({ file }) => file)

/** A field of a flag that differs, as the file writes it. */
export function flagFieldInFile({ path, from, to }: Difference): Difference {
  if (path === 'defaultVariationKey') return { path: 'default', from, to }
  return path === 'variations' ? { path, from: variationsInFile(from), to: variationsInFile(to) } : { path, from, to }
}

const variationsInFile = (list: unknown) =>
  list && recordOf((list as WantedFlag['variations']).map(({ key, name, value }) => [key, { name, value }]))

type Lists = Record<string, string[]>
const entriesOf = (lists: Lists = {}) =>
  Object.entries(lists).map(([variationKey, userIds]) => ({ variationKey, userIds: userIds.map((id) => id.trim()) }))
const listsOf = (entries: { variationKey: string; userIds: string[] }[]): Lists =>
  recordOf(entries.map(({ variationKey, userIds }) => [variationKey, userIds]))

/** The text that the service has of a value: there, keys that are numbers come first. */
const jsonOf = (value: unknown): string => JSON.stringify(JSON.parse(JSON.stringify(value) ?? 'null'))

export function wantedFlag(entry: Fields): WantedFlag {
  const type = entry.type as string
  const variations = Object.entries(entry.variations as Record<string, { name: string; value: unknown }>)
  const defaultVariationKey = (entry.default as string | undefined) ?? variations[0]?.[0] ?? ''
  return {
    body: bodyOf(ofFlag, entry),
    type,
    variations: variations.map(([key, { name, value }]) => ({
      key,
      name: oneName(name),
      value: type === 'STRING' ? (value as string) : jsonOf(value),
    })),
    defaultVariationKey,
    environments: recordOf(
      Object.entries((entry.environments ?? {}) as Record<string, Fields>).map(([key, env]) => {
        const overrides = env.overrides as { environment?: Lists; rules?: Record<string, Lists> } | undefined
        return [
          key,
          {
            enabled: env.enabled as boolean | undefined,
            defaultVariationKey: (env.default as string | undefined) ?? defaultVariationKey,
            rules: ((env.rules ?? []) as Fields[]).map(ruleBody),
            overrides: overrides && {
              environmentAllowlist: entriesOf(overrides.environment),
              ruleAllowlists: Object.entries(overrides.rules ?? {}).map(([ruleId, lists]) => ({
                ruleId,
                entries: entriesOf(lists),
              })),
            },
          },
        ]
      }),
    ),
  }
}

/** The entry of the file for a flag. `experiments`: the short ids of the owners of rules, by environment and key. */
export function flagEntry(
  { body, type, variations, defaultVariationKey, environments }: WantedFlag,
  experiments: (env: string, rule: string) => number | undefined,
): Fields {
  const inEach = Object.entries(environments).map(([key, env]): [string, Fields] => {
    const lists = env.overrides as
      | { environmentAllowlist: never[]; ruleAllowlists: { ruleId: string; entries: never[] }[] }
      | undefined
    return [
      key,
      {
        ...(env.enabled !== undefined && { enabled: env.enabled }),
        ...(env.defaultVariationKey !== defaultVariationKey && { default: env.defaultVariationKey }),
        ...(env.rules.length > 0 && { rules: env.rules.map((rule) => ruleEntry(rule, experiments(key, rule.key))) }),
        ...(lists && {
          overrides: withoutDefaults(
            {
              environment: listsOf(lists.environmentAllowlist),
              rules: recordOf(lists.ruleAllowlists.map(({ ruleId, entries }) => [ruleId, listsOf(entries)])),
            },
            { environment: {}, rules: {} },
          ),
        }),
      },
    ]
  })
  const { name, owner, ...rest } = entryOf(ofFlag, body)
  return {
    name,
    type,
    // A file without an owner does not manage it, so that a copy elsewhere takes nobody away.
    ...(owner !== null && owner !== undefined && { owner }),
    ...rest,
    variations: recordOf(
      variations.map(({ key, name, value }) => [key, { name, value: type === 'STRING' ? value : JSON.parse(value) }]),
    ),
    ...(defaultVariationKey !== variations[0]?.key && { default: defaultVariationKey }),
    environments: Object.fromEntries(inEach),
  }
}
