import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

it.each([
  ['lsit', 'list'],
  ['lis', 'list'],
  ['unarchiv', 'unarchive'],
  ['pub', 'publish'],
  ['xyz', undefined],
  ['', undefined],
])('%s probably means %s', (typed, meant) => {
  expect(nearest(typed, ['list', 'get', 'archive', 'unarchive', 'publish'])).toBe(meant)
})
