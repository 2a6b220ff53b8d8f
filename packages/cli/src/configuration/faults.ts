import { nearest } from '@svc/core'
import { configSchema, type Schema, sharePattern } from './schema.ts'

/** What is wrong in a file, and where. */
export interface Fault {
  path: (string | number)[]
  message: string
}

/** All faults of a value under the schema. */
export function faultsOf(value: unknown, schema: Schema = configSchema as Schema, path: Fault['path'] = []): Fault[] {
  if (schema.$ref) return faultsOf(value, configSchema.$defs.rule as Schema, path)
  const fault = (message: string | undefined): Fault[] => (message === undefined ? [] : [{ path, message }])
  const types = schema.type === undefined ? undefined : [schema.type].flat()
  const type = typeOf(value)
  const isInteger = Number.isInteger(value) && types?.includes('integer')
  if (types && !types.includes(type) && !isInteger)
    return fault(
      `must be ${types.map(wordOf).join(' or ')}, not ${types.includes('integer') && type === 'number' ? value : wordOf(type)}.`,
    )
  if (schema.enum && !schema.enum.includes(value)) return fault(`must be ${schema.enum.map(String).join(' or ')}.`)
  if (typeof value === 'number') return fault(numberFault(value, schema))
  if (typeof value === 'string') return fault(textFault(value, schema))
  if (Array.isArray(value)) {
    const { minItems, maxItems, items } = schema
    const counted = countFault(value.length, minItems, maxItems)
    if (counted) return fault(counted)
    const twice = schema.uniqueItems ? value.find((each, at) => value.indexOf(each) < at) : undefined
    if (twice !== undefined) return fault(`must not have ${twice} twice.`)
    return items ? value.flatMap((each, at) => faultsOf(each, items, [...path, at])) : []
  }
  if (type !== 'object') return []
  const fields = value as Record<string, unknown>
  const names = Object.keys(fields)
  const counted = countFault(names.length, schema.minProperties, schema.maxProperties)
  if (counted) return fault(counted)
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(fields, name))
  const inner = names.flatMap((name): Fault[] => {
    const key = schema.propertyNames && textFault(name, schema.propertyNames)
    if (key) return [{ path: [...path, name], message: `is a key that ${key}` }]
    const known = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    const expected = known ?? schema.additionalProperties
    if (expected === false) return [{ path: [...path, name], message: unknownField(name, schema) }]
    return expected ? faultsOf(fields[name], expected, [...path, name]) : []
  })
  return [...missing.map((name) => ({ path, message: `must have ${name}.` })), ...inner]
}

function unknownField(name: string, { properties = {} }: Schema): string {
  const meant = nearest(name, Object.keys(properties))
  return `is not a field of the file.${meant ? ` Did you mean ${meant}?` : ''}`
}

function textFault(text: string, { minLength = 0, maxLength, pattern, not }: Schema): string | undefined {
  if (text.length < minLength) return 'must not be empty.'
  if (maxLength !== undefined && text.length > maxLength)
    return `must have at most ${maxLength} characters, not ${text.length}.`
  if (pattern !== undefined && !new RegExp(pattern).test(text)) return ruleOf(pattern, text)
  if (not?.pattern !== undefined && new RegExp(not.pattern).test(text))
    return 'must not be only digits or look like an id. Put a word in front.'
  return undefined
}

function ruleOf(pattern: string, text: string): string {
  if (pattern === sharePattern) return `must be a share such as 50%, not ${text}.`
  if (pattern === '\\S') return 'must not be blank.'
  if (pattern.startsWith('^#')) return `must be a color such as #2F9E44, not ${text}.`
  return 'must have 1 to 128 letters, digits, dots, underscores or hyphens, and begin with a letter or digit.'
}

function numberFault(
  value: number,
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema,
): string | undefined {
  const isHigh = value >= (minimum ?? -Infinity) && value > (exclusiveMinimum ?? -Infinity)
  const isLow = value <= (maximum ?? Infinity) && value < (exclusiveMaximum ?? Infinity)
  if (isHigh && isLow) return undefined
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `less than ${exclusiveMaximum}`,
  ]
  return `must be ${bounds.filter(Boolean).join(' and ')}, not ${value}.`
}

function countFault(count: number, least = 0, most = Infinity): string | undefined {
  if (count >= least && count <= most) return undefined
  if (least === 0) return `must have at most ${most} entries, not ${count}.`
  return most === Infinity || (count === 0 && least === 1)
    ? 'must not be empty.'
    : `must have ${least} to ${most} entries, not ${count}.`
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const words: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
}
const wordOf = (type: string): string => words[type] ?? type
