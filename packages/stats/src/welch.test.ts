import { describe, expect, it } from 'vitest'
import { meanArm, proportionArm, ratioArm } from './arm.ts'
import { fisherExact } from './fisher.ts'
import { momentsOf, pairMomentsOf } from './moments.ts'
import { newcombeInterval } from './newcombe.ts'
import { twoProportionTest } from './proportions.ts'
import { welchTest } from './welch.ts'
import { wilsonInterval } from './wilson.ts'

describe('Welch’s test', () => {
  it('is that of R for the data set sleep', () => {
    const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
    const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    const { t, df, pValue, ciLow, ciHigh } = welchTest(meanArm(momentsOf(first)), meanArm(momentsOf(second)), 0.05)
    expect([t, df, pValue, ciLow, ciHigh].map((figure) => figure?.toFixed(5))).toEqual([
      '1.86081',
      '17.77647',
      '0.07939',
      '-0.20548',
      '3.36548',
    ])
  })

  it('answers null without any variance', () => {
    const constant = { n: 10, mean: 3, variance: 0 }
    expect(welchTest(constant, constant, 0.05)).toMatchObject({
      difference: 0,
      standardError: 0,
      t: null,
      pValue: null,
    })
  })

  it('of a ratio is that of its residuals', () => {
    const units: [number, number][] = [
      [3, 1],
      [0, 0],
      [8, 3],
      [2, 2],
      [7, 2],
    ]
    const ratio = 20 / 8
    const residuals = momentsOf(units.map(([y, x]) => (y - ratio * x) / (8 / 5)))
    expect(ratioArm(pairMomentsOf(units)).variance).toBeCloseTo(residuals.m2 / 4, 12)
  })
})

describe('few conversions', () => {
  const [none, all] = [
    { n: 10, sum: 0 },
    { n: 10, sum: 10 },
  ]

  it('have Wilson intervals within 0 and 1', () => {
    expect(wilsonInterval(none, 0.05)).toEqual({ ciLow: 0, ciHigh: expect.closeTo(0.27753, 5) })
    expect(wilsonInterval(all, 0.05)).toEqual({ ciLow: expect.closeTo(0.72247, 5), ciHigh: 1 })
  })

  it('have a Newcombe interval where the other form has no width', () => {
    expect(newcombeInterval(none, none, 0.05)).toEqual({
      difference: 0,
      ciLow: expect.closeTo(-0.27753, 5),
      ciHigh: expect.closeTo(0.27753, 5),
    })
    expect(twoProportionTest(none, none, 0.05)).toMatchObject({ z: null, pValue: null, ciLow: 0, ciHigh: 0 })
  })

  it.each([
    [none, all, 2 / 184_756],
    [all, all, 1],
    [{ n: 0, sum: 0 }, all, null],
  ])('have an exact p-value', (control, treatment, expected) => {
    const { pValue } = fisherExact(control, treatment)
    if (expected === null || pValue === null) expect(pValue).toBe(expected)
    else expect(pValue / expected).toBeCloseTo(1, 9)
  })

  it('do not exist without units', () => {
    const nothing = { n: 0, sum: 0 }
    expect(wilsonInterval(nothing, 0.05)).toEqual({ ciLow: null, ciHigh: null })
    expect(newcombeInterval(nothing, all, 0.05)).toEqual({ difference: null, ciLow: null, ciHigh: null })
    expect(proportionArm(nothing).mean).toBeNaN()
  })
})
