import { expect, it } from 'vitest'
import { pinnedOf } from './pinned.ts'

const environments = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ key }))

it.each([
  [undefined, 'abcd'],
  [['e', 'b', 'deleted'], 'be'],
  [[''], ''],
  [['a', 'b', 'c', 'd', 'e'], 'abcd'],
])('with the choice %j, %s have columns', (chosen, expected) => {
  expect(
    pinnedOf(environments, chosen)
      .map(({ key }) => key)
      .join(''),
  ).toBe(expected)
})
