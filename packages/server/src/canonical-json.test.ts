import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, reversed(field)])
      .reverse(),
  )
}

test('canonical JSON parses to the same value as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('canonical JSON is the same for every order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
    }),
  )
})

test.each([
  [{ b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
  [{ 10: 'ten', 9: 'nine' }, '{"10":"ten","9":"nine"}'],
  [{ absent: undefined, kept: null }, '{"kept":null}'],
  [['b', 'a'], '["b","a"]'],
])('canonical JSON writes %j as %s', (value, text) => expect(canonicalJson(value)).toBe(text))
