import { expect, it } from 'vitest'
import { nearKeys } from './near-keys.ts'

const flags = [
  'price-test',
  'price-tests',
  'checkout',
  'new-checkout-flow',
  '0198f2c6-7d1e-7000-8000-000000000001',
].map((key) => ({ key }))

it.each([
  ['pice-test', ['price-test', 'price-tests']],
  ['checkuot', ['checkout']],
  ['checkout', ['checkout', 'new-checkout-flow']],
  ['something-else', []],
  ['12', []],
  ['0198f2c6-7d1e-7000-8000-000000000000', []],
  ['', []],
])('%s looks like %j', (wanted, expected) => {
  expect(nearKeys(wanted, flags).map(({ key }) => key)).toEqual(expected)
})
