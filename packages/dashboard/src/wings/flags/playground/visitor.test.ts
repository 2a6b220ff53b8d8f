import { expect, it } from 'vitest'
import { contextIn, contextOf, formOf, kindOf, textOf, valueIn } from './visitor.ts'

it.each([
  ['NL', 'NL', undefined],
  [' NL ', 'NL', undefined],
  ['30', 30, 'a number'],
  ['-1.5', -1.5, 'a number'],
  ['"30"', '30', 'a text'],
  ['true', true, 'true or false'],
  ['trueish', 'trueish', undefined],
  ['2.10.0', '2.10.0', undefined],
  ['2026-12-01', '2026-12-01', undefined],
  ['["a", 1]', ['a', 1], 'a list'],
  ['{"plan": "pro"}', { plan: 'pro' }, 'an object'],
  ['{not json', '{not json', undefined],
  ['"half', '"half', undefined],
  ['null', null, 'no value'],
])('%s is taken as %j', (text, value, kind) => {
  expect(valueIn(text)).toEqual(value)
  expect(kindOf(text)).toBe(kind)
})

it.each(['NL', '30', 30, true, 'true', ['a'], { plan: 'pro' }, '', ' NL', '"quoted"', null, '{broken'])(
  'the text of %j means the same value',
  (value) => {
    if (value === '') expect(textOf(value)).toBe('""')
    expect(valueIn(textOf(value))).toEqual(value)
  },
)

it('the form offers the attributes that rules read, and keeps every value of the visitor', () => {
  const visitor = { targetingKey: 'u-17', country: 'NL', age: 30 }
  const form = formOf(visitor, ['country', 'plan', '$now', 'targetingKey'])
  expect(form).toEqual({
    targetingKey: 'u-17',
    rows: [
      { name: 'country', text: 'NL' },
      { name: 'age', text: '30' },
      { name: 'plan', text: '' },
    ],
  })
  expect(contextOf(form)).toEqual(visitor)
})

it('the form leaves out rows without a name or a value', () => {
  const rows = [
    { name: '', text: 'x' },
    { name: 'plan', text: ' ' },
  ]
  expect(contextOf({ targetingKey: ' ', rows })).toEqual({})
})

it.each([
  ['{"targetingKey": "u-17"}', { targetingKey: 'u-17' }],
  ['["u-17"]', undefined],
  ['null', undefined],
  ['{', undefined],
])('the form reads the visitor %s', (json, context) => {
  expect(contextIn(json)).toEqual(context)
})
