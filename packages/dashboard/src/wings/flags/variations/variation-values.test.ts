import { expect, it } from 'vitest'
import { faultOf } from './variation-values.ts'

it.each([
  ['STRING', '', undefined],
  ['BOOLEAN', 'true', undefined],
  ['NUMBER', '0.25', undefined],
  ['NUMBER', '1e3', undefined],
  ['NUMBER', '', 'Enter a number'],
  ['NUMBER', 'many', 'Enter a number'],
  ['NUMBER', '1e999', 'Enter a number'],
  ['JSON', '{"a":[1]}', undefined],
  ['JSON', 'null', undefined],
  ['JSON', '{a:1}', 'This is not JSON'],
  ['JSON', '', 'This is not JSON'],
] as const)('%s %s: %s', (type, value, expected) => {
  const fault = faultOf(type, value)
  expect(expected === undefined ? fault : fault?.slice(0, expected.length)).toBe(expected)
})
