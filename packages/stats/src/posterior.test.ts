import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaBinomial } from './beta-binomial.ts'
import { gaussianPosterior } from './gaussian-posterior.ts'

const conversions = fc
  .record({ n: fc.integer({ min: 0, max: 5000 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ n, share }) => ({ n, sum: Math.round(n * share) }))

describe('the exact comparison of two rates', () => {
  it('is symmetric, and the losses differ by the difference of the means', () => {
    fc.assert(
      fc.property(conversions, conversions, (a, b) => {
        const [one, other] = [betaBinomial(a, b), betaBinomial(b, a)]
        expect(one.chanceToBeatControl! + other.chanceToBeatControl!).toBeCloseTo(1, 8)
        expect(one.expectedLossTreatment).toBeCloseTo(other.expectedLossControl!, 9)
        const difference = one.posteriorMeanTreatment! - one.posteriorMeanControl!
        expect(one.expectedLossControl! - one.expectedLossTreatment!).toBeCloseTo(difference, 8)
      }),
      { numRuns: 25, seed: 1 },
    )
  })

  it('agrees with the closed form', () => {
    // ∫ 12x²(1 - x)(3x² - 2x³) dx for Beta(3, 2) above Beta(2, 2).
    expect(betaBinomial({ n: 2, sum: 1 }, { n: 3, sum: 2 }).chanceToBeatControl).toBeCloseTo(22 / 35, 10)
    expect(betaBinomial({ n: 0, sum: 0 }, { n: 0, sum: 0 })).toMatchObject({
      chanceToBeatControl: expect.closeTo(1 / 2, 12),
      expectedLossTreatment: expect.closeTo(1 / 6, 12),
    })
  })

  it('swaps chance and losses where fewer conversions are better', () => {
    const [a, b] = [
      { n: 100, sum: 20 },
      { n: 100, sum: 30 },
    ]
    const [more, fewer] = [betaBinomial(a, b), betaBinomial(a, b, undefined, true)]
    expect(fewer.chanceToBeatControl).toBeCloseTo(1 - more.chanceToBeatControl!, 10)
    expect(fewer.expectedLossTreatment).toBeCloseTo(more.expectedLossControl!, 12)
    expect(fewer.expectedLossControl).toBeCloseTo(more.expectedLossTreatment!, 12)
  })

  it('keeps the digits of a loss that almost never happens', () => {
    const { expectedLossTreatment } = betaBinomial({ n: 20_000, sum: 1000 }, { n: 20_000, sum: 1300 })
    expect(expectedLossTreatment! / 1.92750458640354e-14).toBeCloseTo(1, 6)
  })

  it('answers null for more conversions than units', () => {
    expect(betaBinomial({ n: 3, sum: 5 }, { n: 3, sum: 1 })).toMatchObject({ chanceToBeatControl: null })
  })
})

describe('the posterior of an effect', () => {
  it('without a prior is the estimate, and mirrors where lower is better', () => {
    const posterior = gaussianPosterior({ estimate: 0.1, standardError: 0.05 })
    const mirrored = gaussianPosterior({ estimate: -0.1, standardError: 0.05, lowerIsBetter: true })
    expect(posterior).toMatchObject({
      posteriorMean: expect.closeTo(0.1, 15),
      posteriorStddev: expect.closeTo(0.05, 15),
    })
    for (const key of ['chanceToBeatControl', 'expectedLossTreatment', 'expectedLossControl'] as const) {
      expect(mirrored[key]).toBeCloseTo(posterior[key]!, 14)
    }
  })

  it('has losses that meet where their two forms meet', () => {
    const lossAt = (z: number) => gaussianPosterior({ estimate: z, standardError: 1 }).expectedLossControl!
    expect(lossAt(-4.999_999) / lossAt(-5.000_001)).toBeCloseTo(1, 4)
    expect(lossAt(-12) / 1.46052011698458e-34).toBeCloseTo(1, 9)
  })

  it('does not exist without a standard error', () => {
    expect(Object.values(gaussianPosterior({ estimate: 1, standardError: 0 }))).toEqual(Array(7).fill(null))
  })
})
