import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  sequentialBounds,
  sequentialCriticalValue,
  sequentialInterval,
  sequentialOneSidedPValue,
} from './sequential.ts'

const estimate = fc.record({
  estimate: fc.double({ min: -10, max: 10, noNaN: true }),
  standardError: fc.double({ min: 0.1, max: 3, noNaN: true }),
  n: fc.integer({ min: 2, max: 1_000_000 }),
  alpha: fc.constantFrom(0.01, 0.05, 0.1),
  tuningParameter: fc.integer({ min: 100, max: 1_000_000 }),
})

it('p is below alpha exactly when 0 is outside the interval', () => {
  fc.assert(
    fc.property(estimate, (given) => {
      const { pValue, ciLow, ciHigh } = sequentialInterval(given)
      expect(pValue! < given.alpha).toBe(ciLow! > 0 || ciHigh! < 0)
    }),
    { numRuns: 200, seed: 1 },
  )
})

it('the one-sided p is below alpha exactly when the bound is above 0', () => {
  fc.assert(
    fc.property(estimate, (given) => {
      const { lowerBound } = sequentialBounds(given)
      const p = sequentialOneSidedPValue(given.estimate / given.standardError, given.n, given)
      expect(p < given.alpha).toBe(lowerBound! > 0)
    }),
    { numRuns: 200, seed: 1 },
  )
})

it.each([
  [500, 3.86],
  [2500, 3.08],
  [5000, 3.04],
  [25_000, 3.15],
  [250_000, 3.47],
])('the critical value after %i units is %f', (n, expected) => {
  expect(sequentialCriticalValue(n, { alpha: 0.05, tuningParameter: 5000 })).toBeCloseTo(expected, 2)
})

it('figures need units and a standard error', () => {
  const given = { estimate: 0, standardError: 0, n: 0, alpha: 0.05, tuningParameter: 5000 }
  expect(sequentialInterval(given)).toMatchObject({ criticalValue: null, ciLow: null, pValue: null })
  expect(sequentialBounds(given)).toMatchObject({ lowerBound: null, upperBound: null })
})
