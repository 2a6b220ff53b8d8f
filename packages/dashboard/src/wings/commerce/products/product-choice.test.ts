import { expect, test } from 'vitest'
import { chosenIn, lastOf } from './product-choice.ts'

test.each([
  ['blue sh', false, 'blue sh', 'G17'],
  ['G4, blue', false, 'G4, blue', 'G17'],
  ['blue sh', true, 'blue sh', 'G17, '],
  ['G4,G5 , blue', true, 'blue', 'G4,G5 , G17, '],
  ['G4, ', true, '', 'G4, G17, '],
])('of "%s" (several: %s), "%s" is looked for, and a choice makes it "%s"', (value, many, typed, chosen) => {
  expect([lastOf(value, many), chosenIn(value, 'G17', many)]).toEqual([typed, chosen])
})
