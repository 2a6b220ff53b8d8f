import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  mergeMoments,
  mergePairMoments,
  mergeThirdMoments,
  momentsFromSums,
  momentsOf,
  momentsOfX,
  momentsOfY,
  noPairs,
  pairMomentsOf,
  skewnessOf,
  varianceOf,
} from './moments.ts'

const numRuns = 50
const value = fc.double({ min: -1000, max: 1000, noNaN: true })
const pairs = fc.array(fc.tuple(value, value), { maxLength: 20 })

describe('moments', () => {
  it('of parts merge to those of the whole, whatever the order', () => {
    fc.assert(
      fc.property(pairs, pairs, pairs, (a, b, c) => {
        const whole = pairMomentsOf([...a, ...b, ...c])
        const parts = [a, b, c].map((part) => (part.length === 0 ? noPairs : pairMomentsOf(part)))
        for (const merged of [parts.reduce(mergePairMoments), parts.toReversed().reduce(mergePairMoments)]) {
          for (const key of ['n', 'sumY', 'sumX', 'm2Y', 'm2X', 'cXY'] as const) {
            const expected = whole.n === 0 ? 0 : whole[key]
            expect(Math.abs(merged[key] - expected)).toBeLessThan(1e-4)
          }
        }
      }),
      { numRuns, seed: 1 },
    )
  })

  it('of third order merge to those of the whole, and give the skewness', () => {
    const third = (values: readonly number[]) => {
      const { n, sum, m2 } = momentsOf(values)
      return { n, sum, m2, m3: values.reduce((total, each) => total + (each - sum / n) ** 3, 0) }
    }
    // In R: m3 <- mean((x - mean(x))^3); m3 / mean((x - mean(x))^2)^1.5
    const values = [0, 0, 0, 0, 0, 12, 0, 30, 7.5, 0]
    const none = { n: 0, sum: 0, m2: 0, m3: 0 }
    for (const at of [1, 3, 6, 9]) {
      const parts = [none, third(values.slice(0, at)), none, third(values.slice(at))]
      expect(skewnessOf(parts.reduce(mergeThirdMoments))).toBeCloseTo(1.92653, 5)
    }
    expect(skewnessOf(third([3, 3, 3]))).toBeNaN()
  })

  it('keep the variance of large values, which sums of squares lose', () => {
    const values = [1e8, 1e8 + 1, 1e8 + 2]
    expect(varianceOf(mergeMoments(momentsOf(values.slice(0, 1)), momentsOf(values.slice(1))))).toBeCloseTo(1, 7)
  })

  it('of a pair are those of its values', () => {
    const pair = pairMomentsOf([
      [1, 4],
      [3, 8],
    ])
    expect(momentsOfY(pair)).toEqual(momentsOf([1, 3]))
    expect(momentsOfX(pair)).toEqual(momentsOf([4, 8]))
    expect(pair.cXY).toBe(4)
  })
})

describe('plain sums', () => {
  it.each([
    ['are centred', { n: 4, sum: 10, sumSquares: 30 }, 5],
    ['of no units are 0', { n: 0, sum: 0, sumSquares: 0 }, 0],
    ['lose a negative rest of rounding', { n: 1000, sum: 1e6, sumSquares: 999_999_999.999_999_8 }, 0],
    ['keep what no data can have', { n: 10, sum: 100, sumSquares: 900 }, -100],
  ])('%s', (_name, sums, m2) => {
    expect(momentsFromSums(sums).m2).toBe(m2)
  })
})

it('a single unit has no variance', () => {
  expect(varianceOf(momentsOf([7]))).toBeNaN()
})
