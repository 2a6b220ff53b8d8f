import { expect, test } from 'vitest'
import { colorFor, refusesDeletion } from './environment.ts'

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
