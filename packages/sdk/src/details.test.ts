import { compile } from '@svc/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { evaluate } from './details.ts'

const broken = JSON.parse('{ "type": "BOOLEAN", "enabled": true }')
const evaluator = compile(
  datafileOf(1, { yes: flagOf(true), text: flagOf('#05f'), picky: { ...flagOf(true), overrides: {} }, broken }),
)
const error = { variationKey: null, ruleId: null, reason: 'ERROR' }

it.each([
  ['a boolean', evaluator, 'yes', false, { value: true, variationKey: 'on', ruleId: null, reason: 'DEFAULT' }],
  ['a string', evaluator, 'text', '', { value: '#05f', variationKey: 'a', ruleId: null, reason: 'DEFAULT' }],
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
    'the default for a boolean asked as text',
    evaluator,
    'yes',
    'x',
    { ...error, value: 'x', errorCode: 'TYPE_MISMATCH' },
  ],
  [
    'the default for a text asked as boolean',
    evaluator,
    'text',
    true,
    { ...error, value: true, errorCode: 'TYPE_MISMATCH' },
  ],
  ['the default for a malformed flag', evaluator, 'broken', true, { ...error, value: true, errorCode: 'PARSE_ERROR' }],
])('gives %s', (_name, asked, flagKey, defaultValue, expected) => {
  expect(evaluate<boolean | string>(asked, flagKey, defaultValue, typeof defaultValue)).toEqual(expected)
})

it('gives the default where the context cannot be read', () => {
  const context = {
    get targetingKey(): string {
      throw new Error('no')
    },
  }
  const unreadable = { errorCode: 'PARSE_ERROR', value: false }
  expect(evaluate(evaluator, 'picky', false, 'boolean', context)).toMatchObject(unreadable)
  expect(evaluate(evaluator, 'yes', false, 'boolean', context).value).toBe(true)
  const answers = evaluator.evaluateAll(context)
  expect([answers.get('picky')?.errorCode, answers.get('yes')?.value]).toEqual(['PARSE_ERROR', true])
})

it('never throws, whatever it is asked', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.anything(), (flagKey, defaultValue, context) => {
      const { value, errorCode } = evaluate(evaluator, flagKey as string, defaultValue, 'boolean', context as never)
      expect(errorCode ? value : typeof value).toBe(errorCode ? defaultValue : 'boolean')
    }),
  )
})
