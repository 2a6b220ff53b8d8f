import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relativeMde, relativePower } from './power.ts'
import { progress, runtime } from './runtime.ts'
import { meanSampleSize, nonInferioritySampleSize, proportionSampleSize } from './sample-size.ts'
import { unitsForSkewness } from './winsorize.ts'

const certainty = { alpha: 0.05, power: 0.8 }

describe('the sample size', () => {
  it('of a rate is the one that R gives', () => {
    expect(proportionSampleSize({ ...certainty, baseline: 0.05, relativeMde: 0.1 }).perVariation).toBe(31_234)
  })

  it.each([
    ['a rate above 1', 0.6, 1],
    ['no change', 0.5, 0],
    ['a rate of 0', 0, 0.1],
  ])('does not exist for %s', (_name, baseline, mde) => {
    expect(proportionSampleSize({ ...certainty, baseline, relativeMde: mde }).perVariation).toBeNull()
  })

  it('of a mean is within 2 % of the rule of thumb', () => {
    const { control } = meanSampleSize({ ...certainty, mean: 10, stddev: 8, relativeMde: 0.03 })
    expect(control! / ((16 * 64) / 0.09)).toBeCloseTo(0.98, 2)
  })

  it('of a guardrail grows with a smaller margin', () => {
    const of = (margin: number) => nonInferioritySampleSize({ ...certainty, mean: 10, stddev: 8, margin }).perVariation!
    expect(of(0.01)).toBeGreaterThan(3.9 * of(0.02))
  })

  it('of a skewed value follows its skewness', () => {
    expect(unitsForSkewness(3)).toBe(3195)
  })
})

describe('power', () => {
  it('at the smallest detectable effect is the power asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 1_000_000 }),
        fc.constantFrom(undefined, 5000),
        fc.constantFrom(0.5, 0.8, 0.95),
        (perVariation, tuningParameter, power) => {
          const planned = { mean: 0.05, stddev: 0.22, perVariation, alpha: 0.05, tuningParameter }
          const { mde } = relativeMde({ ...planned, power })
          const reached = relativePower({ ...planned, relativeEffect: mde! }).power
          expect(reached).toBeCloseTo(power, 3)
        },
      ),
      { numRuns: 50, seed: 1 },
    )
  })

  it('does not exist for too few units', () => {
    expect(relativeMde({ mean: 1, stddev: 100, perVariation: 100, ...certainty })).toEqual({ mde: null })
  })
})

it.each([
  [300, 2, 10_000, 1, 1, 7],
  [31_234, 2, 5000, 0.5, 25, 28],
  [70, 1, 10, 1, 7, 7],
  [80, 1, 10, 1, 8, 14],
  [100, 2, 0, 1, null, null],
])(
  '%i units in %i arms at %i a day, share %f, take %s days',
  (perVariation, variations, dailyUnits, coverage, days, recommendedDays) => {
    expect(runtime({ perVariation, variations, dailyUnits, coverage })).toEqual({ days, recommendedDays })
  },
)

it.each([
  [500, 1000, 0.5],
  [2000, 1000, 1],
  [10, null, null],
])('%i of %s units are a progress of %s', (smallest, planned, expected) => {
  expect(progress(smallest, planned)).toBe(expected)
})
