import { expect, test } from 'vitest'
import { colorFor, keyFor, refusesDeletion } from './environment.ts'

test.each([
  ['Staging', [], 'staging'],
  ['Staging (EU)', [], 'staging-eu'],
  ['Café 2', [], 'cafe-2'],
  ['  --  ', [], 'environment'],
  ['日本', [], 'environment'],
  ['Staging', ['staging'], 'staging-2'],
  ['Staging', ['staging', 'staging-2'], 'staging-3'],
])('%j with %j taken has the key %s', (name, taken, key) => expect(keyFor(name, new Set(taken))).toBe(key))

test('colors come from a palette, one after the other', () => {
  const colors = Array.from({ length: 20 }, (_, position) => colorFor(position))
  for (const color of colors) expect(color).toMatch(/^#[0-9A-F]{6}$/)
  expect(colors[0]).not.toBe(colors[1])
})

test.each([
  ['a built-in one', true, 5, { current: 'BUILT_IN' }],
  ['the second-last', false, 2, { current: 2 }],
])('deleting %s is refused', (_what, builtIn, count, details) => {
  expect(refusesDeletion({ builtIn, name: 'X' }, count)).toMatchObject({ refusal: 'invalid_state', details })
})

test('deleting a third one is not refused', () =>
  expect(refusesDeletion({ builtIn: false, name: 'X' }, 3)).toBeUndefined())
