import { expect, test } from 'vitest'
import { labelOf, placeIn } from './step.ts'

test.each<readonly [string, ReturnType<typeof placeIn>]>([
  ['0', { revision: 0, step: null }],
  ['41', { revision: 41, step: null }],
  ['41.0', { revision: 41, step: 0 }],
  ['41.12', { revision: 41, step: 12 }],
  ...['', ' 1', '01', '1.', '.1', '1.01', '1.1.1', '-1', '1e3', '0x1', '1.-1'].map(
    (text) => [text, undefined] as const,
  ),
])('%j is the place %j', (text, place) => {
  expect(placeIn(text)).toEqual(place)
})

test.each([
  [{ revision: 41, step: null }, '41'],
  [{ revision: 41, step: 0 }, '41'],
  [{ revision: 41, step: 2 }, '41.2'],
])('%j is called %s', (place, label) => {
  expect(labelOf(place)).toBe(label)
})
