import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  adjustedMean,
  count,
  deviations,
  type ExactMean,
  meanOf,
  Rational,
  ratioOf,
  slopeOf,
  sumOf,
} from '../testing/rational.ts'
import { type ArmData, type ComparisonSettings, compare } from './compare.ts'
import { pooledTheta } from './cuped.ts'
import { momentsFromSums, momentsOf, pairMomentsOf, productOfDeviations } from './moments.ts'

// Values that are large beside their differences, against fractions without rounding.

const numRuns = 100
/** The error of doubles after a few operations in a row. */
const tolerance = 1e-12
const near = (found: number, wanted: Rational, share = tolerance) => {
  const exact = wanted.toNumber()
  expect(Math.abs(found - exact), `${found} instead of ${exact}`).toBeLessThanOrEqual(share * Math.abs(exact))
}

const offset = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, 1e-6, 1e6, 1e9, -1e9, 1e12, -1e12, 123_456_789.123),
  fc.double({ min: -1e12, max: 1e12, noNaN: true }),
)
/** What values differ by: no less than doubles of 1e12 can. */
const step = fc.constantFrom(2 ** -10, 0.25, 1, 1000, 1e6)
const steps = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 4, maxLength: 30 })
const values = fc.tuple(offset, step, steps).map(([from, by, all]) => all.map((each) => from + by * each))
const exact = (all: readonly number[]) => all.map(Rational.of)

describe('moments of large values', () => {
  it('are exact', () => {
    fc.assert(
      fc.property(values, values, (ys, xs) => {
        const [wantedY, wantedX] = [exact(ys), exact(xs)]
        near(momentsOf(ys).sum, sumOf(wantedY), 1e-15 * ys.length)
        near(momentsOf(ys).m2, deviations(wantedY, wantedY))
        const shorter = Math.min(ys.length, xs.length)
        const [y, x] = [wantedY.slice(0, shorter), wantedX.slice(0, shorter)]
        const { m2Y, m2X, cXY } = pairMomentsOf(ys.slice(0, shorter).map((each, i) => [each, xs[i]!]))
        near(m2Y, deviations(y, y))
        near(m2X, deviations(x, x))
        // Products of both signs cancel each other.
        const wanted = deviations(y, x).toNumber()
        expect(Math.abs(cXY - wanted)).toBeLessThanOrEqual(tolerance * Math.sqrt(m2Y * m2X))
      }),
      { numRuns, seed: 1 },
    )
  })

  it('of plain sums lose nothing that the sums have', () => {
    // Not so small that doubles have fewer digits there.
    const sum = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e18 }), fc.double({ min: -1e18, max: -1e-9 }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), sum, fc.double({ min: 1e-6, max: 1e6 }), (n, y, more) => {
        const squares = y ** 2 / n + more
        const wanted = Rational.of(squares).minus(Rational.of(y).times(Rational.of(y)).over(count(n)))
        near(productOfDeviations(n, squares, y, y), wanted)
        const { m2 } = momentsFromSums({ n, sum: y, sumSquares: squares })
        if (wanted.toNumber() >= 0) near(m2, wanted)
      }),
      { numRuns, seed: 2 },
    )
    // Without an exact product, the nearest doubles are all that is left.
    expect(momentsFromSums({ n: 2, sum: 1e200, sumSquares: 1e300 }).m2).toBe(Number.NEGATIVE_INFINITY)
  })
})

const settings: ComparisonSettings = {
  ...{ test: 'FIXED_HORIZON', alpha: 0.05, tuningParameter: 5000, minUnits: 0, minConversions: 0 },
}

describe('a comparison of large values', () => {
  const units = fc.array(
    fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 9 })),
    { minLength: 4, maxLength: 30 },
  )
  const expectLike = (arms: readonly [ArmData, ArmData], [c, t]: readonly [ExactMean, ExactMean]) => {
    const found = compare(...arms, settings)
    if (found.difference === null || found.standardError === null || found.standardError === 0) return
    const error = Math.sqrt(c.variance.plus(t.variance).toNumber())
    // A verdict depends on the difference in standard errors.
    expect(Math.abs(found.difference - t.mean.minus(c.mean).toNumber())).toBeLessThanOrEqual(1e-9 * error)
    expect(Math.abs(found.standardError - error)).toBeLessThanOrEqual(1e-9 * error)
  }

  it('has their difference and its error, if its sums are beyond an offset', () => {
    fc.assert(
      fc.property(offset, step, units, units, (from, by, control, treatment) => {
        const arms = [control, treatment].map((arm) => {
          const pairs = pairMomentsOf(arm.map(([y, x]) => [by * y, by * x]))
          const ys = arm.map(([y]) => Rational.of(from).plus(Rational.of(by * y)))
          const xs = arm.map(([, x]) => Rational.of(from).plus(Rational.of(by * x)))
          const denominators = arm.map(([, , d]) => count(d))
          const numerators = arm.map(([y, , d]) =>
            Rational.of(from)
              .times(count(d))
              .plus(Rational.of(by * y)),
          )
          return { pairs, ratios: pairMomentsOf(arm.map(([y, , d]) => [by * y, d])), ys, xs, denominators, numerators }
        })
        const [c, t] = arms as [(typeof arms)[number], (typeof arms)[number]]
        const both = (armOf: (arm: typeof c) => ArmData) => [armOf(c), armOf(t)] as const
        expectLike(
          both(({ pairs: { n, sumY, m2Y } }) => ({ type: 'MEAN', n, sum: sumY, m2: m2Y, offset: from })),
          [meanOf(c.ys), meanOf(t.ys)],
        )
        expectLike(
          both(({ ratios }) => ({ type: 'RATIO', ...ratios, offset: from })),
          [ratioOf(c.numerators, c.denominators), ratioOf(t.numerators, t.denominators)],
        )
        const theta = pooledTheta([c.pairs, t.pairs])
        const slope = Rational.of(theta)
        if (deviations([...c.xs, ...t.xs], [...c.xs, ...t.xs]).top !== 0n)
          near(theta, slopeOf([...c.ys, ...t.ys], [...c.xs, ...t.xs]), 1e-9)
        expectLike(
          both(({ pairs }) => ({ type: 'CUPED', theta, ...pairs, offset: from })),
          [adjustedMean(c.ys, c.xs, slope), adjustedMean(t.ys, t.xs, slope)],
        )
      }),
      { numRuns, seed: 3 },
    )
  })

  it('shows the means themselves, and the lift of them', () => {
    const arm = (sum: number): ArmData => ({ type: 'MEAN', n: 100, sum, m2: 99, offset: 1e12 })
    const found = compare(arm(-10), arm(10), settings)
    expect(found).toMatchObject({ meanControl: 1e12 - 0.1, meanTreatment: 1e12 + 0.1, difference: 0.2 })
    expect(found.lift).toBeCloseTo(2e-13, 20)
    expect(found.standardError).toBeCloseTo(Math.sqrt(0.02), 12)
  })
})
