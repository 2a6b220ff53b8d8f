import { expect, test } from 'vitest'
import { keyFor } from './key.ts'

const long = 'a'.repeat(200)

test.each([
  ['Staging', [], 'staging'],
  ['Staging (EU)', [], 'staging-eu'],
  ['Café 2', [], 'cafe-2'],
  ['  --  ', [], 'environment'],
  ['日本', [], 'environment'],
  ['Staging', ['staging'], 'staging-2'],
  ['Staging', ['staging', 'staging-2'], 'staging-3'],
  ['42', [], 'environment-42'],
  ['0198F2C6-7b1e-7c44-9a35-1d2f6c0b5e11', [], 'environment-0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'],
  [long, [], 'a'.repeat(100)],
  [long, ['a'.repeat(100)], `${'a'.repeat(98)}-2`],
])('the name %j with %j taken gets the key %s', (name, taken, key) =>
  expect(keyFor(name, 'environment', new Set(taken))).toBe(key),
)
