import { compile } from '@svc/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { evaluate, typeOf } from './details.ts'

const broken = JSON.parse('{ "type": "BOOLEAN", "enabled": true }')
const evaluator = compile(
  datafileOf(1, {
    yes: flagOf(true),
    text: flagOf('#05f'),
    number: flagOf(2.5),
    json: flagOf({ sizes: [1, { x: null }] }),
    null: flagOf(null),
    // Texts that look like values of a different type.
    jsonTrue: flagOf(null, { variations: { a: 'true' } }),
    jsonNumber: flagOf([], { variations: { a: '5' } }),
    jsonText: flagOf({}, { variations: { a: '"#05f"' } }),
    noNumber: flagOf(1, { variations: { a: 'Infinity' } }),
    noJson: flagOf({}, { variations: { a: '{' } }),
    picky: { ...flagOf(true), overrides: {} },
    broken,
  }),
)
const served = { variationKey: 'a', ruleId: null, reason: 'DEFAULT' }
const error = { variationKey: null, ruleId: null, reason: 'ERROR' }

it.each([
  ['a boolean', evaluator, 'yes', false, { value: true, variationKey: 'on', ruleId: null, reason: 'DEFAULT' }],
  ['a string', evaluator, 'text', '', { value: '#05f', variationKey: 'a', ruleId: null, reason: 'DEFAULT' }],
  ['a number', evaluator, 'number', 0, { ...served, value: 2.5 }],
  ['JSON', evaluator, 'json', {}, { ...served, value: { sizes: [1, { x: null }] } }],
  ['JSON that is null', evaluator, 'null', {}, { ...served, value: null }],
  ['JSON for the default null', evaluator, 'jsonTrue', null, { ...served, value: true }],
  ['JSON for a list as the default', evaluator, 'jsonNumber', [], { ...served, value: 5 }],
  ['the default before a data file', undefined, 'yes', false, { ...error, value: false, errorCode: 'NOT_READY' }],
  ['the default for an unknown flag', evaluator, 'no', 'x', { ...error, value: 'x', errorCode: 'FLAG_NOT_FOUND' }],
  [
    'the default for an inherited name',
    evaluator,
    'toString',
    'x',
    { ...error, value: 'x', errorCode: 'FLAG_NOT_FOUND' },
  ],
  [
    'the default when a boolean is asked for as a string',
    evaluator,
    'yes',
    'x',
    { ...error, value: 'x', errorCode: 'TYPE_MISMATCH' },
  ],
  [
    'the default when a string is asked for as a boolean',
    evaluator,
    'text',
    true,
    { ...error, value: true, errorCode: 'TYPE_MISMATCH' },
  ],
  [
    'the default for a number that is not one',
    evaluator,
    'noNumber',
    7,
    { ...error, value: 7, errorCode: 'PARSE_ERROR' },
  ],
  [
    'the default for JSON that is not valid',
    evaluator,
    'noJson',
    null,
    { ...error, value: null, errorCode: 'PARSE_ERROR' },
  ],
  ['the default for a malformed flag', evaluator, 'broken', true, { ...error, value: true, errorCode: 'PARSE_ERROR' }],
])('gives %s', (_name, asked, flagKey, defaultValue, expected) => {
  expect(evaluate<unknown>(asked, flagKey, defaultValue, typeOf(defaultValue))).toEqual(expected)
})

it.each([
  ['a boolean asked for as a number', 'yes', 1],
  ['a boolean asked for as JSON', 'yes', {}],
  ['a string asked for as JSON', 'text', []],
  ['a number asked for as a string', 'number', 'x'],
  ['a number asked for as JSON', 'number', null],
  ['JSON true asked for as a boolean', 'jsonTrue', false],
  ['a JSON number asked for as a number', 'jsonNumber', 1],
  ['a JSON string asked for as a string', 'jsonText', 'x'],
  ['a default of a type that no flag has', 'text', undefined],
])('returns the default for %s', (_name, flagKey, value) => {
  const expected = { ...error, value, errorCode: 'TYPE_MISMATCH' }
  expect(evaluate<unknown>(evaluator, flagKey, value, typeOf(value))).toEqual(expected)
})

it('returns the same frozen JSON to all callers', () => {
  const value = () => evaluate<unknown>(evaluator, 'json', {}, 'JSON').value as { sizes: [number, { x: unknown }] }
  expect(value()).toBe(value())
  expect(() => value().sizes.pop()).toThrow(TypeError)
  expect(() => Object.assign(value().sizes[1], { x: 1 })).toThrow(TypeError)
})

it('returns the default when the context cannot be read', () => {
  const context = {
    get targetingKey(): string {
      throw new Error('no')
    },
  }
  const unreadable = { errorCode: 'PARSE_ERROR', value: false }
  expect(evaluate(evaluator, 'picky', false, 'BOOLEAN', context)).toMatchObject(unreadable)
  expect(evaluate(evaluator, 'yes', false, 'BOOLEAN', context).value).toBe(true)
  const answers = evaluator.evaluateAll(context)
  expect([answers.get('picky')?.errorCode, answers.get('yes')?.value]).toEqual(['PARSE_ERROR', true])
})

it('never throws, whatever its arguments', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.anything(), (flagKey, defaultValue, context) => {
      const { value, errorCode } = evaluate(evaluator, flagKey as string, defaultValue, 'BOOLEAN', context as never)
      expect(errorCode ? value : typeof value).toBe(errorCode ? defaultValue : 'BOOLEAN')
    }),
  )
})
