import { expect, it } from 'vitest'
import { basisPoints, percent, splitOf } from './shares.ts'

it.each([
  ['25', 2500],
  ['12.5%', 1250],
  ['0', 0],
  ['100', 10_000],
])('%s percent are %d basis points', (text, points) => expect(basisPoints(text, '--percent')).toBe(points))

it.each(['', 'x', '-1', '101', '1.234', '50 50'])('refuses "%s"', (text) => {
  expect(() => basisPoints(text, '--percent')).toThrow('--percent must be between 0 and 100, in percent')
})

it('reads a split, and refuses one that does not add up', () => {
  expect(splitOf('control=33.33, short=66.67')).toEqual([
    { variationKey: 'control', weight: 3333 },
    { variationKey: 'short', weight: 6667 },
  ])
  expect(() => splitOf('a=50,b=40')).toThrow('--split must add up to 100 (got 90).')
  expect(() => splitOf('a')).toThrow('--split must be like control=50,short=50 (got a).')
})

it('shows basis points as percent', () => expect([percent(2500), percent(3333)]).toEqual(['25 %', '33.33 %']))
