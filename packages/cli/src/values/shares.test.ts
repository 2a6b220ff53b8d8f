import { expect, it } from 'vitest'
import { basisPoints, percent, splitOf } from './shares.ts'

it.each([
  ['25', 2500],
  ['12.5%', 1250],
  ['0', 0],
  ['100', 10_000],
  [' 50 % ', 5000],
])('%s percent are %d basis points', (text, points) => expect(basisPoints(text, '--percent')).toBe(points))

it.each([
  ['-1', 'be between 0 and 100, in percent'],
  ['101', 'be between 0 and 100, in percent'],
  ['100.001', 'be between 0 and 100, in percent'],
  ['1234', 'be between 0 and 100, in percent'],
  ['33.333', 'have at most two decimals'],
  ['1.234%', 'have at most two decimals'],
  ['', 'be a percentage such as 25 or 12.5'],
  ['x', 'be a percentage such as 25 or 12.5'],
  ['1e1', 'be a percentage such as 25 or 12.5'],
  ['12,5', 'be a percentage such as 25 or 12.5'],
  ['50 50', 'be a percentage such as 25 or 12.5'],
])('svc refuses "%s": it must %s', (text, rule) => {
  expect(() => basisPoints(text, '--percent')).toThrow(`--percent must ${rule} (got ${text}).`)
})

it('svc reads a split, and refuses one that does not add up', () => {
  expect(splitOf('control=33.33, short=66.67')).toEqual([
    { variationKey: 'control', weight: 3333 },
    { variationKey: 'short', weight: 6667 },
  ])
  expect(() => splitOf('a=50,b=40')).toThrow('--split must add up to 100 (got 90).')
  expect(() => splitOf('a')).toThrow('--split must be like control=50,short=50 (got a).')
})

it('svc shows basis points as percent', () => expect([percent(2500), percent(3333)]).toEqual(['25 %', '33.33 %']))
