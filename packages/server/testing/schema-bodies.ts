import { type Operator, type OperatorGroup, operators } from '@svc/core'
import fc from 'fast-check'

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  $ref?: string
}

/** Useful values for a field of this name, or of a name that contains it, such as existing ids. */
export type Known = Record<string, fc.Arbitrary<unknown>>

const longestText = 300
const mostItems = 4
const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'a'.repeat(300)]
/** Texts that begin like an address and cannot be parsed. */
export const almostUrls = [
  'https://',
  'https:',
  'https://%',
  'https://[',
  'https://[::1',
  'https:// a',
  'https://a b',
  'https://:443',
  'https://a:99999',
  'http://',
  '//a',
  'https//a.test',
]
/** Templates of a few bytes that name much. */
export const growing = [
  '{{flags}}'.repeat(400),
  `{{project}}{{flag}}`.repeat(200),
  '{{'.repeat(1_000),
  `{{${'a.'.repeat(1_000)}a}}`,
]
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '😀',
  'ﬁ',
  '\u202e',
  '=1+1',
  "'; drop table flags; --",
  '{{7*7}}',
  ...almostUrls,
  ...growing,
]
const numbers = [0, -0, -1, 0.5, 1e21, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, 10_001]
const strange = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...numbers, ...names, null, true, false, [], {}, [[]], ['']),
  fc.integer({ min: 1, max: 70_000 }).map((length) => 'x'.repeat(length)),
  fc.constant('u'.repeat(65_536)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.constant(0), { maxLength: 2_000 }),
  fc.integer({ min: 1, max: 40 }).map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)),
)
const garbage = fc.constantFrom(
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '1e999',
  '{"a":1e999}',
  '\ufeff{}',
  '{}{}',
  'NaN',
  "{'a':1}",
)

/**
 * Texts of bodies that match the schema, almost match it, or do not. `name` is the key of the body itself in `known`.
 */
export function bodiesOf(schema: Schema, known: Known, name: string): fc.Arbitrary<string> {
  const valid = valuesOf(schema, known, name)
  const nearly = fc.tuple(valid, fc.nat(), change).map(([value, place, make]) => changed(value, place, make))
  return fc.oneof(
    { arbitrary: valid.map((value) => JSON.stringify(value)), weight: 10 },
    { arbitrary: nearly, weight: 10 },
    { arbitrary: fc.tuple(valid, strange).map(([value, twice]) => withDuplicate(value, twice)), weight: 1 },
    { arbitrary: garbage, weight: 1 },
  )
}

function valuesOf(schema: Schema, known: Known, name: string, within = ''): fc.Arbitrary<unknown> {
  const bySchema = valuesOfType(schema, known, name)
  const byName = known[`${within}.${name}`] ?? known[name]
  return byName ? fc.oneof({ arbitrary: byName, weight: 9 }, { arbitrary: bySchema, weight: 1 }) : bySchema
}

function valuesOfType(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => valuesOf(option, known, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, each]) => [key, valuesOf(each, known, key, name)]),
        ),
        { requiredKeys: (schema.required ?? []) as never[] },
      )
    case 'array': {
      const { minItems: minLength = 0, maxItems = mostItems, items = {} } = schema
      const maxLength = Math.max(minLength, Math.min(maxItems, mostItems))
      return fc.array(valuesOf(items, known, name), { minLength, maxLength })
    }
    case 'string':
      return textsOf(schema)
    case 'integer':
    case 'number': {
      const { minimum: min = -1e6, maximum: max = 1e6 } = schema
      const within =
        schema.type === 'integer' ? fc.integer({ min, max: Math.min(max, 1e9) }) : fc.double({ min, max, noNaN: true })
      return fc.oneof(within, fc.constantFrom(min, max))
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return strange
  }
}

const fourDigitYears = { min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') }

function textsOf({ pattern, format, minLength = 0, maxLength = longestText }: Schema): fc.Arbitrary<string> {
  if (format === 'email') return fc.uuid().map((id) => `${id}@svc.test`)
  if (format === 'uri') return fc.oneof(fc.webUrl({ validSchemes: ['https'] }), fc.constantFrom(...almostUrls))
  if (format === 'date-time')
    return fc.date({ ...fourDigitYears, noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern))
  const least = Math.max(minLength, pattern ? 1 : 0)
  return fc.oneof(
    fc.string({ minLength: least, maxLength: Math.min(maxLength, longestText) }),
    fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.min(maxLength, 20) }),
    fc.constantFrom('x'.repeat(maxLength), 'x'.repeat(Math.max(1, least))),
  )
}

type Change = { remove: true } | { add: string; value: unknown } | { replace: unknown }

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>({ remove: true }),
  fc.record({ add: fc.oneof(fc.constantFrom(...names), fc.string()), value: strange }),
  strange.map((replace) => ({ replace })),
)

interface Place {
  holder: Record<string, unknown>
  key: string
}

/** Applies a change in one place of a value. */
function changed(original: unknown, index: number, make: Change): string {
  const root = { body: structuredClone(original) }
  const places: Place[] = []
  const walk = (holder: Record<string, unknown>) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key })
      const inner = holder[key]
      if (typeof inner === 'object' && inner !== null) walk(inner as Record<string, unknown>)
    }
  }
  walk(root)
  const { holder, key } = places[index % places.length]!
  if ('remove' in make) delete holder[key]
  else if ('replace' in make) holder[key] = make.replace
  else {
    const inner = holder[key]
    const target = typeof inner === 'object' && inner !== null ? inner : holder
    const added = { value: make.value, enumerable: true, configurable: true, writable: true }
    if (Array.isArray(target)) target.push(make.value)
    else Object.defineProperty(target, make.add, added)
  }
  return JSON.stringify(root.body) ?? ''
}

/** The first field twice, which only text can express. */
function withDuplicate(value: unknown, twice: unknown): string {
  const [key] = Object.keys(value ?? {})
  const text = JSON.stringify(value)
  return key === undefined ? text : `{${JSON.stringify(key)}:${JSON.stringify(twice)},${text.slice(1)}`
}

const attributes = fc.constantFrom('country', 'app.version', 'plan', '__proto__', 'constructor', 'toString', 'a.b.c')
const lists = [
  ['NL', 'BE'],
  [1, 2],
  ['__proto__', true],
]
/** Values that are valid for the operators of a group. */
const usable: Record<OperatorGroup, unknown[]> = {
  any: ['NL', '', 3, -1, 0.5, true, '__proto__', '\u202e😀'],
  string: ['NL', '^a+$', 'ﬁ'],
  number: [3, -1, 0.5, 1e308],
  date: ['2026-11-20T10:00:00Z', 0, '2026-11-20'],
  version: ['4.2.0', '1.0.0-rc.1'],
  list: lists,
  network: ['10.0.0.0/8', '2001:db8::/32', ['10.0.0.0/8', '192.168.0.0/16']],
}
const usableOf = (operator: Operator): unknown[] => {
  if (operator === 'exists' || operator === 'notExists') return [undefined]
  return operator === 'in' || operator === 'notIn' ? lists : usable[operators[operator]]
}
const usableLeaf = fc.constantFrom(...(Object.keys(operators) as Operator[])).chain((operator) =>
  fc.record(
    {
      attribute: attributes,
      operator: fc.constant(operator),
      value: fc.constantFrom(...usableOf(operator)),
      caseSensitive: fc.boolean(),
    },
    { requiredKeys: ['attribute', 'operator', 'value'] },
  ),
)
const operands = fc.oneof(
  fc.constantFrom<unknown>(
    'NL',
    '4.2.0',
    '10.0.0.0/8',
    '2026-11-20T10:00:00Z',
    'a',
    '^a+$',
    '(a+)+$',
    3,
    -1,
    true,
    null,
  ),
  fc.constantFrom<unknown>(['NL', 'BE'], [1, 2], ['__proto__'], [], ['10.0.0.0/8']),
  strange,
)

/** Trees of conditions, most of them valid. */
export const conditions: fc.Arbitrary<unknown> = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.record(
    {
      attribute: fc.oneof(attributes, fc.constantFrom('$now', '')),
      operator: fc.constantFrom(...Object.keys(operators), '__proto__', 'toString'),
      value: operands,
      caseSensitive: fc.boolean(),
    },
    { requiredKeys: ['attribute', 'operator'] },
  ),
  tree: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: usableLeaf, weight: 8 },
    { arbitrary: tie('leaf'), weight: 1 },
    { arbitrary: fc.record({ all: fc.array(tie('tree'), { maxLength: 3 }) }), weight: 2 },
    { arbitrary: fc.record({ any: fc.array(tie('tree'), { maxLength: 3 }) }), weight: 2 },
    { arbitrary: fc.record({ not: tie('tree') }), weight: 2 },
    { arbitrary: fc.record({ audience: fc.oneof(fc.uuid(), strange) }), weight: 1 },
  ),
})).tree
