import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, dataFileBytes, etagOf, fragmentText, parseFragment } from './bytes.ts'

const head = { revision: 3, publishedAt: new Date('2026-11-20T10:00:00Z'), environment: { id: 'e', key: 'production' } }
const flag = (id: string) => ({
  id,
  type: 'BOOLEAN' as const,
  enabled: true,
  variations: { on: 'true', off: 'false' },
  defaultVariation: 'off',
  rules: [],
})
const flagOf = (key: string) => ({ key, fragment: fragmentText(key, flag(key)) })

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, reversed(field)])
      .reverse(),
  )
}

test('canonical JSON says the same as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('equal content gives equal text, whatever the order of the keys', () => {
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
])('%j is written %s', (value, text) => expect(canonicalJson(value)).toBe(text))

test('the file is canonical JSON as a whole', () => {
  const bytes = dataFileBytes(head, [flagOf('zebra'), flagOf('apple'), flagOf('10'), flagOf('9')])
  const file = JSON.parse(bytes.toString())
  expect(bytes.toString()).toBe(canonicalJson(file))
  expect(file).toMatchObject({ schemaVersion: 1, revision: 3, publishedAt: '2026-11-20T10:00:00.000Z' })
})

test('equal flags give equal bytes and an equal ETag, in whatever order they come', () => {
  const keys = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,8}$/))
  fc.assert(
    fc.property(keys, (each) => {
      const bytes = dataFileBytes(head, each.map(flagOf))
      expect(etagOf(dataFileBytes(head, each.toReversed().map(flagOf)))).toBe(etagOf(bytes))
    }),
  )
})

test('the ETag is the SHA-256 of the bytes, quoted', () => {
  expect(etagOf(Buffer.from('abc'))).toBe('"sha256-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"')
})

test('a fragment is read back as the flag it was made from', () => {
  expect(parseFragment(fragmentText('a "key"', flag('f')))).toEqual(flag('f'))
  expect(parseFragment(null)).toBeNull()
})
