import { nouns } from '@svc/client'
import { oneName } from '@svc/core'

/** Fields of an object of the API, or of its entry in the file. */
export type Fields = Record<string, unknown>

/** A field of the file: its two names, its default, and how its value is written there. */
interface Field {
  file: string
  api?: string
  default?: unknown
  codec?: Codec
}

interface Codec {
  toFile(value: unknown): unknown
  toApi(value: unknown): unknown
}

/** Basis points as `33.33%`. */
export const percent: Codec = {
  toFile: (points) => `${(points as number) / 100}%`,
  toApi: (text) => Math.round(Number.parseFloat(text as string) * 100),
}

const denominator: Codec = {
  toFile: (value) =>
    value &&
    withoutDefaults({ event: (value as Fields).eventKey, valueFrom: (value as Fields).valueFrom }, { valueFrom: null }),
  toApi: (value) => value && { eventKey: (value as Fields).event, valueFrom: (value as Fields).valueFrom ?? null },
}
const named: Codec = { toFile: (text) => text, toApi: (text) => oneName(text as string) }
export const name = { file: 'name', codec: named } as const

const sorted: Codec = {
  toFile: (list) => [...(list as string[])].sort(),
  toApi: (list) => [...(list as string[])].sort(),
}

/** The order in which a condition reads as a sentence. The service does not keep an order. */
const readingOrder = ['attribute', 'operator', 'value', 'caseSensitive', 'audience', 'segment', 'all', 'any', 'not']
const inReadingOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inReadingOrder)
  if (typeof value !== 'object' || value === null) return value
  const place = (name: string) => readingOrder.indexOf(name)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => place(one) - place(other))
      .map(([name, inner]) => [name, inReadingOrder(inner)]),
  )
}
export const conditions: Codec = { toFile: inReadingOrder, toApi: (value) => value }

const trigger: Codec = {
  toFile: (value) =>
    value &&
    withoutDefaults(
      { ...(value as Fields), conditions: inReadingOrder((value as Fields).conditions) },
      { selector: null, conditions: null },
    ),
  toApi: (value) => value && { selector: null, conditions: null, ...(value as Fields) },
}

/** What people and addresses call a noun. */
const calledAs = <Noun extends NounInProject>(noun: Noun) => ({
  noun: nouns[noun].label.toLowerCase(),
  path: nouns[noun].path,
})
type NounInProject = {
  [N in keyof typeof nouns]: (typeof nouns)[N] extends { path: string } ? N : never
}[keyof typeof nouns]

/** The kinds of objects with one entry each: their section of the file, their list in the API, and their fields. */
export const kinds = {
  metrics: {
    ...calledAs('metric'),
    fields: [
      name,
      { file: 'type' },
      { file: 'event', api: 'eventKey' },
      { file: 'valueFrom', default: null },
      { file: 'denominator', default: null, codec: denominator },
      { file: 'direction', default: 'INCREASE' },
      { file: 'unit', default: null },
      { file: 'conversionWindowHours', default: 168 },
      { file: 'winsorizeAt', default: null },
      { file: 'nonInferiorityMargin', default: null },
      { file: 'trigger', default: null, codec: trigger },
      { file: 'archived', default: false },
    ],
    /** Fields that only an edit can set. */
    later: ['archived'],
  },
  segments: {
    ...calledAs('segment'),
    fields: [name, { file: 'description', default: null }],
    later: [],
  },
  audiences: {
    ...calledAs('audience'),
    fields: [name, { file: 'description', default: null }, { file: 'conditions', codec: conditions }],
    later: [],
  },
  exclusionGroups: {
    ...calledAs('exclusion_group'),
    fields: [name, { file: 'slotSize', default: 2500, codec: percent }],
    later: [],
  },
  holdouts: {
    ...calledAs('holdout'),
    fields: [name, { file: 'share', codec: percent }, { file: 'archived', default: false }],
    later: ['archived'],
  },
  environments: {
    ...calledAs('environment'),
    fields: [name, { file: 'color' }, { file: 'protected' }],
    later: [],
  },
  webhooks: {
    ...calledAs('webhook'),
    fields: [name, { file: 'url' }, { file: 'events', codec: sorted }, { file: 'enabled', default: true }],
    later: ['enabled'],
  },
  destinations: {
    ...calledAs('destination'),
    fields: [
      name,
      { file: 'kind' },
      { file: 'events', codec: sorted },
      { file: 'environments', api: 'environmentIds', default: null },
      { file: 'allProjects', default: false },
      { file: 'digest', default: 'NONE' },
      { file: 'quietHours', default: true },
      { file: 'template', default: null },
      { file: 'config' },
      /** Names of environment variables. The values become part of the config. */
      { file: 'secrets' },
      { file: 'enabled', default: true },
    ],
    later: ['enabled'],
  },
} as const satisfies Record<string, { noun: string; path: string; fields: readonly Field[]; later: readonly string[] }>

export type Kind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as Kind[]

/** The entry of the file with its defaults, as a body of the API. Fields without a value and a default are left out. */
export function bodyOf(fields: readonly Field[], entry: Fields): Fields {
  return Object.fromEntries(
    fields.flatMap(({ file, api = file, codec, ...field }) => {
      if (entry[file] !== undefined) return [[api, codec ? codec.toApi(entry[file]) : entry[file]]]
      return 'default' in field ? [[api, field.default]] : []
    }),
  )
}

/** The fields of an object of the API that a body has. */
export const managed = (fields: readonly Field[], object: Fields): Fields =>
  bodyOf(
    fields.map(({ file, api = file, codec, ...field }) => ({
      ...field,
      file: api,
      ...(codec === sorted && { codec }),
    })),
    object,
  )

/** The entry of the file for a body: names of the file, without what is the default. */
export const entryOf = (fields: readonly Field[], body: Fields): Fields =>
  Object.fromEntries(
    fields.flatMap(({ file, api = file, codec, ...field }) => {
      const value = body[api]
      if (value === undefined || ('default' in field && isSame(value, field.default))) return []
      return [[file, codec ? codec.toFile(value) : value]]
    }),
  )

export const withoutDefaults = (fields: Fields, defaults: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && !(name in defaults && isSame(value, defaults[name])),
    ),
  )

/**
 * A record by keys of people. It inherits nothing, so that a flag can be called constructor. Its keys stay in their
 * order, which for variations decides who gets what. JavaScript would put 2 before 10, and both before all others.
 */
export function recordOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const list = [...entries]
  const record: Record<string, Value> = Object.assign(Object.create(null), Object.fromEntries(list))
  const names = [...new Set(list.map(([name]) => name))]
  return names.some((name) => /^\d+$/.test(name)) ? new Proxy(record, { ownKeys: () => names }) : record
}

/** Whether two values of JSON are equal. The order of the fields of an object does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]))
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) || Array.isArray(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame((one as Fields)[name], (other as Fields)[name]))
  )
}

export interface Difference {
  path: string
  from: unknown
  to: unknown
}

/** A field that differs, as the file writes it. */
export function fieldInFile(fields: readonly Field[], { path, from, to }: Difference): Difference {
  const field = fields.find(({ file, api = file }) => api === path)
  const written = (value: unknown) => (value === null || !field?.codec ? value : field.codec.toFile(value))
  return { path: field?.file ?? path, from: written(from), to: written(to) }
}

/**
 * The fields in which a present object differs from the wanted one. Fields that the wanted object does not have are
 * ignored.
 */
export const differencesOf = (present: Fields, wanted: Fields): Difference[] =>
  Object.entries(wanted).flatMap(([path, to]) =>
    isSame(present[path], to) ? [] : [{ path, from: present[path] ?? null, to }],
  )
