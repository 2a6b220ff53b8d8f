import type { Condition } from '@svc/core'

/** A visitor with what was told about them. */
export interface SeenVisitor {
  envId: string
  unit: string
  /** An object of texts, numbers and booleans as JSON text. */
  facts: string
  /** Milliseconds since 1970. */
  seenAt: number
}

export type Attributes = Record<string, string | number | boolean | null>

/** The newest visitors of an environment that are kept. */
export const mostVisitors = 1_000
/** Visitors of an environment that a node takes between two writes, so that a busy one leaves room for others. */
export const mostAtOnce = 100
export const mostNames = 100
export const mostValues = 50
export const maxValueLength = 100
/** An attribute with more values in a sample is a name, an id or an address, and its values are not suggested. */
export const mostDistinctValues = 100
/** A value that fewer visitors have could tell who somebody is. */
export const leastVisitors = 2
/** What an entry takes in memory besides its texts. Measured with Node 24, then rounded up. */
const entryBytes = 512

export const bytesOf = ({ unit, facts }: Pick<SeenVisitor, 'unit' | 'facts'>): number =>
  entryBytes + 2 * (unit.length + facts.length)

/** What was seen and is not written yet, by environment and visitor. */
export type Pending = Map<string, Map<string, SeenVisitor>>

/** Whether a visitor of the environment can be added. It costs nothing, so it comes before anything is read. */
export const takes = (pending: Pending, envId: string): boolean => (pending.get(envId)?.size ?? 0) < mostAtOnce

/** Adds a visitor; the newest facts stay. One without room is left out. Returns by how many bytes it has grown. */
export function addSeen(pending: Pending, visitor: SeenVisitor, roomBytes: number): number {
  const { envId, unit } = visitor
  const known = pending.get(envId)?.get(unit)
  if (known && known.seenAt > visitor.seenAt) return 0
  const bytes = bytesOf(visitor) - (known ? bytesOf(known) : 0)
  if (bytes > roomBytes) return 0
  const ofEnvironment = pending.get(envId) ?? new Map<string, SeenVisitor>()
  pending.set(envId, ofEnvironment.set(unit, visitor))
  return bytes
}

/** The attributes as they are kept. The visitor's id is kept apart, and of e-mail addresses only that there was a text. */
export function keptOf(facts: string): Attributes {
  const told = JSON.parse(facts) as Attributes
  const kept = Object.entries(told).filter(([name]) => name !== 'targetingKey')
  return Object.fromEntries(kept.map(([name, value]) => [name, isAddress(value) ? null : value]))
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && value.includes('@')

type AttributeType = 'STRING' | 'NUMBER' | 'BOOLEAN'

export interface SeenAttribute {
  name: string
  types: AttributeType[]
  /** How many visitors of the sample have it. */
  visitors: number
  /** Those that most visitors have, most first. */
  values: (string | number | boolean)[]
}

/** The attributes of a sample, those of most visitors first, with the values that can be suggested. */
export function attributesOf(sample: readonly Attributes[]): SeenAttribute[] {
  const found = new Map<string, (string | number | boolean | null)[]>()
  for (const attributes of sample)
    for (const [name, value] of Object.entries(attributes)) {
      const values = found.get(name)
      if (values) values.push(value)
      else found.set(name, [value])
    }
  return [...found]
    .toSorted(([one, ofOne], [two, ofTwo]) => ofTwo.length - ofOne.length || (one < two ? -1 : 1))
    .slice(0, mostNames)
    .map(([name, values]) => ({
      name,
      types: [...new Set(values.map(typeOf))].toSorted(),
      visitors: values.length,
      values: suggestedOf(values),
    }))
}

const typeOf = (value: string | number | boolean | null): AttributeType => {
  if (typeof value === 'number') return 'NUMBER'
  return typeof value === 'boolean' ? 'BOOLEAN' : 'STRING'
}

function suggestedOf(values: readonly (string | number | boolean | null)[]): SeenAttribute['values'] {
  const counts = new Map<string | number | boolean, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  // Where addresses are sent, other values are as personal.
  if (counts.size > mostDistinctValues || values.includes(null)) return []
  return [...counts]
    .filter(([value, count]) => count >= leastVisitors && value !== '' && String(value).length <= maxValueLength)
    .toSorted(([, one], [, two]) => two - one)
    .slice(0, mostValues)
    .map(([value]) => value)
}

/** What a condition asks about, without the time. */
export function asksAbout(condition: Condition): { attributes: string[]; segments: string[] } {
  const attributes = new Set<string>()
  const segments = new Set<string>()
  const read = (each: Condition): void => {
    if ('all' in each) each.all.forEach(read)
    else if ('any' in each) each.any.forEach(read)
    else if ('not' in each) read(each.not)
    else if ('segment' in each) segments.add(each.segment)
    else if ('attribute' in each && each.attribute !== '$now') attributes.add(each.attribute)
  }
  read(condition)
  return { attributes: [...attributes], segments: [...segments] }
}

/** Attributes that the sample says nothing about: it has no value of them, or lacks some that are not kept. */
export const unknownIn = (sample: readonly Attributes[], names: readonly string[]): string[] =>
  names.filter((name) => {
    if (name === 'targetingKey') return false
    const told = sample.filter((attributes) => Object.hasOwn(attributes, name))
    return told.length === 0 || told.some((attributes) => attributes[name] === null)
  })
