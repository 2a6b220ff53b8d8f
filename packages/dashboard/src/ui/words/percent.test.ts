import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  borderAfter,
  even,
  percentIn,
  percentOf,
  percentText,
  whole,
  withBorder,
  withPercents,
  withWeight,
} from './percent.ts'

it.each([
  ['25', 2500],
  ['25 %', 2500],
  ['12,5', 1250],
  ['0.01', 1],
  ['100', 10_000],
  ['33.33', 3333],
  ['100.01', undefined],
  ['0.001', undefined],
  ['-1', undefined],
  ['', undefined],
  ['half', undefined],
])('%j is %j basis points', (text, expected) => {
  expect(percentIn(text)).toBe(expected)
})

it('every share survives being shown and typed', () => {
  for (let share = 0; share <= whole; share += 1) expect(percentIn(percentText(share))).toBe(share)
})

it('a percentage stays in one line, also in a text of the service', () => {
  expect(percentOf(1250)).toBe('12.5\u00a0%')
  expect(withPercents('97.2 % is gone; the limit is 20 %.')).toBe('97.2\u00a0% is gone; the limit is 20\u00a0%.')
})

const total = (weights: number[]) => weights.reduce((sum, weight) => sum + weight, 0)
const split = fc.integer({ min: 2, max: 4 }).chain((count) =>
  fc.array(fc.nat(whole), { minLength: count - 1, maxLength: count - 1 }).map((cuts) => {
    const borders = [0, ...cuts.sort((one, other) => one - other), whole]
    return borders.slice(1).map((border, at) => border - borders[at]!)
  }),
)

describe('weights', () => {
  it.each([
    [2, [5000, 5000]],
    [3, [3334, 3333, 3333]],
    [4, [2500, 2500, 2500, 2500]],
  ])('of %d variations are even as %j', (count, expected) => {
    expect(even(count)).toEqual(expected)
  })

  it('sum to the whole after any field is set, and the field has what was typed', () => {
    fc.assert(
      fc.property(split, fc.nat(3), fc.nat(whole), (weights, place, value) => {
        const at = place % weights.length
        const next = withWeight(weights, at, value)
        expect(total(next)).toBe(whole)
        expect(next[at]).toBe(value)
        expect(Math.min(...next)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('keep the proportions of the others', () => {
    expect(withWeight([5000, 3000, 2000], 0, 0)).toEqual([0, 6000, 4000])
    expect(withWeight([10_000, 0, 0], 0, 5000)).toEqual([5000, 2500, 2500])
  })

  it('sum to the whole after any border is moved, and other borders stay', () => {
    fc.assert(
      fc.property(split, fc.nat(2), fc.integer({ min: -100, max: whole + 100 }), (weights, place, position) => {
        const at = place % (weights.length - 1)
        const next = withBorder(weights, at, position)
        expect(total(next)).toBe(whole)
        expect(Math.min(...next)).toBeGreaterThanOrEqual(0)
        for (let other = 0; other < weights.length - 1; other += 1)
          if (other !== at) expect(borderAfter(next, other)).toBe(borderAfter(weights, other))
      }),
    )
  })
})
