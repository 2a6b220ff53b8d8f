import { expect, test } from 'vitest'
import { areNumbers, namesToSuggest, valuesToSuggest } from './seen.ts'

const seen = [
  { name: 'plan', values: ['pro', 'free'] },
  { name: 'age', values: [30, true] },
]

test('attributes of visitors come first, and each once', () => {
  expect(namesToSuggest(seen, ['country', 'plan'])).toEqual(['plan', 'age', 'country'])
})

test.each([
  ['plan', ['pro', 'free']],
  ['age', [30]],
  ['country', []],
])('the values of %s are suggested', (attribute, expected) => {
  expect(valuesToSuggest(seen, attribute)).toEqual(expected)
})

test.each([
  [[30, 31], true],
  [[30, 'old'], false],
  [[], false],
])('%j are numbers: %s', (values, expected) => {
  expect(areNumbers(values)).toBe(expected)
})
