import { expect, test } from 'vitest'
import { colorFor, refusesDeletion } from './environment.ts'

test('colors come from a palette in order', () => {
  const colors = Array.from({ length: 20 }, (_, position) => colorFor(position))
  for (const color of colors) expect(color).toMatch(/^#[0-9A-F]{6}$/)
  expect(colors[0]).not.toBe(colors[1])
})

test.each([
  ['a built-in environment', true, 5, { current: 'BUILT_IN' }],
  ['one of the last two environments', false, 2, { current: 2 }],
])('deleting %s is refused', (_what, builtIn, count, details) => {
  expect(refusesDeletion({ builtIn, name: 'X' }, count)).toMatchObject({ refusal: 'invalid_state', details })
})

test('deleting one of three environments is not refused', () =>
  expect(refusesDeletion({ builtIn: false, name: 'X' }, 3)).toBeUndefined())
