import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deltaLift, fiellerLift } from './lift.ts'
import { effectOf } from './welch.ts'

// Whole numbers, because fast-check prefers doubles near 0, where no interval has ends.
const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((number) => number / 100)
const arm = fc.record({
  n: fc.integer({ min: 2, max: 2000 }),
  mean: hundredths(-500, 500),
  variance: hundredths(1, 5000),
})

it('Fieller’s interval excludes 0 exactly when that of the difference does, and contains the lift', () => {
  let [bounded, excluded] = [0, 0]
  fc.assert(
    fc.property(arm, arm, hundredths(100, 500), (control, treatment, q) => {
      const effect = effectOf(control, treatment)
      const { lift, ciLow, ciHigh } = fiellerLift(effect, q)
      if (ciLow === null || ciHigh === null) return
      const differs = Math.abs(effect.estimate) > q * Math.sqrt(effect.variance)
      expect(ciLow > 0 || ciHigh < 0).toBe(differs)
      expect(ciLow <= lift! && lift! <= ciHigh).toBe(true)
      bounded++
      excluded += Number(differs)
    }),
    { numRuns: 200, seed: 1 },
  )
  expect([bounded > 100, excluded > 80]).toEqual([true, true])
})

it('a baseline that cannot be distinguished from 0 has a lift without interval', () => {
  const control = { n: 100, mean: 0.05, variance: 4 }
  const effect = effectOf(control, { n: 100, mean: 0.3, variance: 4 })
  expect(fiellerLift(effect, 1.96)).toMatchObject({ lift: expect.closeTo(5, 9), ciLow: null, ciHigh: null })
})

it('a baseline of 0 has no lift', () => {
  const effect = effectOf({ n: 100, mean: 0, variance: 4 }, { n: 100, mean: 0.3, variance: 4 })
  expect(fiellerLift(effect, 1.96)).toEqual({ lift: null, ciLow: null, ciHigh: null, g: null })
})

it('a negative baseline keeps the direction', () => {
  const control = { n: 1000, mean: -5, variance: 15 }
  const treatment = { n: 1000, mean: -4.5, variance: 15 }
  const fieller = fiellerLift(effectOf(control, treatment), 1.96)
  expect(fieller.lift).toBeCloseTo(0.1, 12)
  expect(fieller.ciLow).toBeGreaterThan(0)
  expect(deltaLift(control, treatment, 0.05).lift).toBeCloseTo(0.1, 12)
})
