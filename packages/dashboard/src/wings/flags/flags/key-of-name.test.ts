import { expect, it } from 'vitest'
import { keyOfName } from './key-of-name.ts'

it.each([
  ['One-page checkout', 'one-page-checkout'],
  ['  Búsqueda nueva (v2) ', 'busqueda-nueva-v2'],
  ['Größe & Farbe', 'gro-e-farbe'],
  ['価格', ''],
  ['x'.repeat(200), 'x'.repeat(128)],
  [`${'x'.repeat(127)} y`, 'x'.repeat(127)],
])('the key of %j is %j', (name, key) => {
  expect(keyOfName(name)).toBe(key)
})
