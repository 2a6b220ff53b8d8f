import { counted } from '@svc/core'

/** What the values of a JSON flag must look like: the subset of JSON Schema that this file names. */
export interface ValueSchema {
  type?: TypeName | undefined
  properties?: Record<string, ValueSchema> | undefined
  required?: string[] | undefined
  additionalProperties?: boolean | ValueSchema | undefined
  items?: ValueSchema | undefined
  enum?: unknown[] | undefined
  const?: unknown
  minimum?: number | undefined
  maximum?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
}

const typeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
type TypeName = (typeof typeNames)[number]

export const maxSchemaBytes = 16_384
const maxSchemaDepth = 32

export interface Fault {
  path: PropertyKey[]
  message: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') && new Set(value).size === value.length

/** What each keyword must be, as the end of a sentence. `properties`, `items` and `additionalProperties` have schemas inside. */
const keywords: Record<string, { isValid: (value: unknown) => boolean; rule: string }> = {
  type: { isValid: (value) => typeNames.includes(value as TypeName), rule: `must be one of ${typeNames.join(', ')}.` },
  properties: { isValid: isRecord, rule: 'must be an object with a schema for each property.' },
  required: { isValid: isTexts, rule: 'must be a list of different names.' },
  additionalProperties: {
    isValid: (value) => typeof value === 'boolean' || isRecord(value),
    rule: 'must be true, false or a schema.',
  },
  items: { isValid: isRecord, rule: 'must be a schema.' },
  enum: {
    isValid: (value) => Array.isArray(value) && value.length > 0,
    rule: 'must be a list with at least one value.',
  },
  const: { isValid: () => true, rule: '' },
  minimum: { isValid: Number.isFinite, rule: 'must be a number.' },
  maximum: { isValid: Number.isFinite, rule: 'must be a number.' },
  minLength: { isValid: isCount, rule: 'must be a whole number from 0.' },
  maxLength: { isValid: isCount, rule: 'must be a whole number from 0.' },
}

/**
 * What is wrong with a schema. A keyword that the service does not check is refused, because people would rely on it.
 */
export function schemaFaults(schema: unknown, path: PropertyKey[] = []): Fault[] {
  if (!isRecord(schema)) return [{ path, message: 'must be a schema: an object.' }]
  if (path.length > 2 * maxSchemaDepth) return [{ path, message: `must have at most ${maxSchemaDepth} levels.` }]
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const at = [...path, keyword]
    const known = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
    if (!known) return [{ path: at, message: `is not supported. Use ${Object.keys(keywords).join(', ')}.` }]
    if (!known.isValid(value)) return [{ path: at, message: known.rule }]
    if (keyword === 'properties')
      return Object.entries(value as object).flatMap(([name, inner]) => schemaFaults(inner, [...at, name]))
    return isRecord(value) && (keyword === 'items' || keyword === 'additionalProperties') ? schemaFaults(value, at) : []
  })
}

/** Why a JSON value does not fit a schema: where, and the end of a sentence about it. Undefined if it fits. */
export function valueFault(schema: ValueSchema, value: unknown, path: PropertyKey[] = []): Fault | undefined {
  const rule = ownFault(schema, value)
  if (rule) return { path, message: rule }
  if (Array.isArray(value)) {
    const { items } = schema
    return items && first(value.entries(), ([at, item]) => valueFault(items, item, [...path, at]))
  }
  if (!isRecord(value)) return undefined
  const { properties = {}, required = [], additionalProperties = true } = schema
  const missing = required.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return { path, message: `must have the property ${missing}.` }
  return first(Object.entries(value), ([name, inner]) => {
    const at = [...path, name]
    if (Object.hasOwn(properties, name)) return valueFault(properties[name]!, inner, at)
    if (additionalProperties === false) return { path: at, message: 'is not a property of the schema.' }
    return additionalProperties === true ? undefined : valueFault(additionalProperties, inner, at)
  })
}

function first<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function ownFault(schema: ValueSchema, value: unknown): string | undefined {
  const { type, minimum, maximum, minLength, maxLength } = schema
  if (type && !isOfType(type, value)) return `must be of the type ${type}.`
  if (schema.enum && !schema.enum.some((each) => isSame(each, value)))
    return `must be one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}.`
  if ('const' in schema && !isSame(schema.const, value)) return `must be ${JSON.stringify(schema.const)}.`
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}.`
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}.`
  }
  if (typeof value !== 'string') return undefined
  // JSON Schema counts characters, not units of UTF-16.
  const { length } = [...value]
  if (minLength !== undefined && length < minLength) return `must have at least ${counted(minLength, 'character')}.`
  if (maxLength !== undefined && length > maxLength) return `must have at most ${counted(maxLength, 'character')}.`
  return undefined
}

function isOfType(type: TypeName, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]))
  if (!isRecord(one) || !isRecord(other)) return one === other
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}
