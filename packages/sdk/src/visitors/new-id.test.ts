import { expect, it } from 'vitest'
import { manualPlatform } from '../../test/platform.ts'
import { newId } from './new-id.ts'

const { platform } = manualPlatform()
const version7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

it.each([0, 0.5, 1 - 2 ** -53])('is a UUID of version 7 with the random number %d', (random) => {
  expect(newId({ ...platform, random: () => random })).toMatch(version7)
})

it('begins with the time', () => {
  const id = newId({ ...platform, now: () => 0x0198f2c67b1e })
  expect(id.slice(0, 13)).toBe('0198f2c6-7b1e')
})

it('differs from id to id', () => {
  const ids = Array.from({ length: 1000 }, () => newId({ ...platform, random: Math.random }))
  expect(new Set(ids).size).toBe(1000)
})
