import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ArmData,
  type ComparisonSettings,
  compare,
  compareStrata,
  effectBetween,
  stratifiedArm,
} from './compare.ts'
import { cupedEffect, pooledTheta } from './cuped.ts'
import { pairMomentsOf } from './moments.ts'
import { winsorizationCap, winsorize } from './winsorize.ts'

const settings: ComparisonSettings = {
  test: 'SEQUENTIAL',
  alpha: 0.05,
  tuningParameter: 5000,
  minUnits: 100,
  minConversions: 25,
}
const rate = (n: number, sum: number): ArmData => ({ type: 'PROPORTION', n, sum })
const values = (n: number, sum: number, m2: number): ArmData => ({ type: 'MEAN', n, sum, m2 })
const orders = (conversions: number): ArmData => ({ type: 'MEAN', n: 1000, sum: 24, m2: 24, conversions })
const ratio = (n: number, sumX: number): ArmData => ({ type: 'RATIO', n, sumY: 1, m2Y: 1, sumX, m2X: 1, cXY: 0 })

describe('the status of a comparison', () => {
  it.each<[string, ArmData, ArmData]>([
    ['invalid_input', rate(-1, 0), rate(10, 1)],
    ['invalid_input', rate(10, 11), rate(10, 1)],
    ['invalid_input', rate(Number.NaN, 1), rate(0, 0)],
    ['invalid_input', values(10, 1, -1), values(10, 1, 1)],
    ['no_data', rate(0, 0), rate(1, 1)],
    ['no_data', ratio(10, 0), ratio(10, 4)],
    ['insufficient_data', rate(1, 1), rate(1000, 100)],
    ['zero_variance', rate(50, 0), rate(50, 0)],
    ['insufficient_data', rate(99, 30), rate(1000, 300)],
    // The minimum is of both arms together.
    ['insufficient_data', rate(1000, 12), rate(1000, 12)],
    ['insufficient_data', orders(12), orders(12)],
    ['lift_unbounded', rate(1000, 24), rate(1000, 300)],
    ['zero_baseline', rate(1000, 0), rate(1000, 25)],
    ['zero_baseline', rate(1000, 0), rate(1000, 1000)],
    ['zero_baseline', values(1000, 0, 500), values(1000, 300, 700)],
    ['lift_unbounded', values(1000, 5, 4000), values(1000, 300, 4900)],
    ['ok', rate(1000, 100), rate(1000, 130)],
  ])('is %s', (status, control, treatment) => {
    expect(compare(control, treatment, settings).status).toBe(status)
  })

  it('shows figures below the minimum, and calls nothing significant', () => {
    const few = compare(rate(1000, 2), rate(1000, 20), { ...settings, test: 'FIXED_HORIZON' })
    expect(few).toMatchObject({
      status: 'insufficient_data',
      difference: expect.closeTo(0.018, 12),
      significant: false,
    })
    expect(few.pValue).toBeLessThan(0.001)
  })

  it('counts units with a value other than 0, where they are known', () => {
    const sales = (conversions: number | undefined): ArmData => ({
      type: 'MEAN',
      n: 1000,
      sum: 40,
      m2: 90,
      conversions,
    })
    const isWaiting = (c: number | undefined, t: number | undefined) =>
      compare(sales(c), { ...sales(t), sum: 900 } as ArmData, settings).status === 'insufficient_data'
    expect([isWaiting(1, 8), isWaiting(12, 13), isWaiting(undefined, 8)]).toEqual([true, false, false])
  })

  it('takes the variance of both arms together where one has few conversions, if it is larger', () => {
    const [control, treatment] = [rate(90_000, 100), rate(10_000, 3)]
    const p = 103 / 100_000
    const together = Math.sqrt(p * (1 - p) * (1 / 90_000 + 1 / 10_000))
    expect(compare(control, treatment, settings).standardError).toBeCloseTo(together, 12)
    const many = compare(control, rate(10_000, 40), settings)
    const own = Math.sqrt(((100 / 90_000) * (1 - 100 / 90_000)) / 90_000 + (0.004 * 0.996) / 10_000)
    expect(many.standardError).toBeCloseTo(own, 12)
    // For a rate, few units without a conversion count as few too.
    const mirrored = compare(rate(90_000, 89_900), rate(10_000, 9997), settings)
    expect(mirrored.standardError).toBeCloseTo(together, 12)
  })

  it('leaves no NaN and no infinity in any figure', () => {
    const count = fc.oneof(fc.constantFrom(0, 1, 2, 1e9), fc.integer({ min: -1, max: 5000 }))
    const amount = fc.oneof(fc.constantFrom(0, 1e-300, 1e300, Number.NaN, Infinity), fc.double({ min: -9, max: 9 }))
    const arm = fc.oneof(
      fc.record({ type: fc.constant('PROPORTION' as const), n: count, sum: count }),
      fc.record({ type: fc.constant('MEAN' as const), n: count, sum: amount, m2: amount }),
    )
    fc.assert(
      fc.property(arm, arm, fc.boolean(), (control, treatment, isFixed) => {
        const result = compare(control, treatment, { ...settings, test: isFixed ? 'FIXED_HORIZON' : 'SEQUENTIAL' })
        for (const value of Object.values(result))
          if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite)
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})

describe('strata with different splits', () => {
  const fixed = { ...settings, test: 'FIXED_HORIZON' as const }
  // Both arms convert alike, 10 % in the first week and 30 % in the second, when the treatment got more of the units.
  const weeks = [
    { share: 10_000, control: rate(9000, 900), treatment: rate(1000, 100) },
    { share: 10_000, control: rate(5000, 1500), treatment: rate(5000, 1500) },
  ]

  it('show no effect where there is none, unlike pooled units', () => {
    expect(compare(rate(14_000, 2400), rate(6000, 1600), fixed).pValue).toBeLessThan(1e-30)
    expect(compareStrata(weeks, fixed)).toMatchObject({
      status: 'ok',
      meanControl: expect.closeTo(0.2, 12),
      difference: expect.closeTo(0, 12),
      pValue: expect.closeTo(1, 6),
    })
  })

  it('with the same split are about as sure as all units together', () => {
    const halves = [1, 1].map((share) => ({ share, control: rate(5000, 500), treatment: rate(5000, 560) }))
    const [parts, whole] = [compareStrata(halves, fixed), compare(rate(10_000, 1000), rate(10_000, 1120), fixed)]
    for (const key of ['difference', 'standardError', 'lift', 'liftCiLow', 'liftCiHigh', 'pValue'] as const) {
      expect(parts[key]! / whole[key]!).toBeCloseTo(1, 3)
    }
  })

  it('are tested even if all units of one stratum are equal', () => {
    // A short first phase, in which nobody converted.
    const short = { share: 40, control: rate(20, 0), treatment: rate(20, 0) }
    const [found, rest] = [compareStrata([short, ...weeks], fixed), compareStrata(weeks, fixed)]
    expect(found).toMatchObject({ status: 'ok', standardError: expect.closeTo(rest.standardError!, 4) })
    expect(found.criticalValue).toBeCloseTo(rest.criticalValue!, 6)
  })

  it('count only where both arms have units', () => {
    const added = { share: 5000, control: rate(5000, 700), treatment: rate(0, 0) }
    expect(compareStrata([added, ...weeks], fixed)).toEqual(compareStrata(weeks, fixed))
    expect(compareStrata([added], fixed).status).toBe('no_data')
    expect(stratifiedArm([rate(0, 0)], [1]).n).toBe(0)
  })
})

describe('CUPED', () => {
  const units = (shift: number, n: number): [number, number][] =>
    Array.from({ length: n }, (_, i) => [(i % 7) * 2 + shift + (i % 3), i % 7])
  const [control, treatment] = [pairMomentsOf(units(0, 140)), pairMomentsOf(units(1, 150))]

  it('narrows the difference by what the covariate explains', () => {
    const theta = pooledTheta([control, treatment])
    const data = (pair: typeof control): ArmData => ({ type: 'CUPED', theta, ...pair })
    const plain = compare(
      values(control.n, control.sumY, control.m2Y),
      values(treatment.n, treatment.sumY, treatment.m2Y),
      settings,
    )
    const adjusted = compare(data(control), data(treatment), settings)
    expect(adjusted.standardError! / plain.standardError!).toBeLessThan(0.5)
    expect(adjusted.meanControl).toBe(plain.meanControl)
    expect(effectBetween(data(control), data(treatment))).toEqual(cupedEffect(control, treatment))
  })

  it('without variance of the covariate changes nothing', () => {
    const flat = pairMomentsOf(units(0, 140).map(([y]) => [y, 0]))
    expect(cupedEffect(flat, flat)).toMatchObject({ theta: 0, varianceReduction: 0, estimate: 0 })
  })
})

describe('winsorisation', () => {
  const totals = [0, 0, 0, 1, 2, 3, 4, 100]

  it.each([
    [0.5, true, 3],
    [0.75, true, 4],
    [1, true, 100],
    [0.5, false, 1.5],
  ])('cuts above the %f quantile (without zeros: %s), at %f', (percentile, ignoreZeros, cap) => {
    expect(winsorizationCap(totals, { percentile, ignoreZeros })).toBe(cap)
  })

  it('counts what it cuts', () => {
    const cut = winsorize(totals, { percentile: 0.75, ignoreZeros: true })
    expect(cut).toEqual({ cap: 4, sum: 14, sumSquares: 46, mean: 1.75, capped: 1 })
  })

  it('changes nothing if all values are zero', () => {
    expect(winsorize([0, 0], { percentile: 0.9, ignoreZeros: true })).toMatchObject({ cap: null, sum: 0, capped: 0 })
  })
})
