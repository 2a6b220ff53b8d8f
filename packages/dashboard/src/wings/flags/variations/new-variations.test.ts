import { expect, it } from 'vitest'
import { type FlagType, inputsOf, startingVariations, variationsOf } from './new-variations.ts'

it.each(Object.keys(startingVariations) as FlagType[])('%s begins with its two usual variations', (type) => {
  expect(variationsOf(type, inputsOf(type))).toEqual(startingVariations[type])
})

it.each([
  ['Deep blue', 'deep-blue'],
  ['  Grün ', 'grun'],
  ['蓝色', 'original'],
])('the key of %j is %s', (name, key) => {
  const inputs = { ...inputsOf('STRING'), 'variations.0.name': name, 'variations.0.value': '#00f ' }
  expect(variationsOf('STRING', inputs)[0]).toEqual({ name: name.trim(), key, value: '#00f ' })
})
