import { expect, it } from 'vitest'
import { nearKeys } from './near-keys.ts'

const flags = ['price-test', 'price-tests', 'checkout', 'new-checkout-flow'].map((key) => ({ key }))

it.each([
  ['pice-test', ['price-test', 'price-tests']],
  ['checkuot', ['checkout']],
  ['checkout', ['checkout', 'new-checkout-flow']],
  ['something-else', []],
])('%s looks like %j', (wanted, expected) => {
  expect(nearKeys(wanted, flags).map(({ key }) => key)).toEqual(expected)
})
