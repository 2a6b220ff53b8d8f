import { describe, expect, it } from 'vitest'
import { planSample } from './sample-size.ts'
import { type SampleSize, type SampleSizeRequest, sampleSizeBody } from './schema.ts'

const rate = { type: 'PROPORTION', baseline: 0.05, minimumDetectableLift: 0.1 }
const mean = { type: 'MEAN', baseline: 10, minimumDetectableLift: 0.03, stddev: 8 }
const plan = (asked: object) => planSample(sampleSizeBody.parse(asked) as SampleSizeRequest)

describe('a sample', () => {
  it.each<[string, object, number, number]>([
    ['of a rate', { ...rate, test: 'FIXED_HORIZON' }, 31_234, 62_468],
    ['of a rate for a sequential test, the default', rate, 56_221, 112_442],
    ['of three variations', { ...rate, test: 'FIXED_HORIZON', variations: 3 }, 37_824, 113_472],
    ['of four variations', { ...rate, test: 'FIXED_HORIZON', variations: 4 }, 41_661, 166_644],
    [
      'of three variations after another correction',
      { ...rate, test: 'FIXED_HORIZON', variations: 3, correction: 'BENJAMINI_HOCHBERG' },
      37_824,
      113_472,
    ],
    [
      'of three variations without a correction',
      { ...rate, test: 'FIXED_HORIZON', variations: 3, correction: 'NONE' },
      31_234,
      93_702,
    ],
    ['of two primary metrics', { ...rate, test: 'FIXED_HORIZON', primaryMetrics: 2 }, 37_824, 75_648],
    ['of a ratio', { ...mean, type: 'RATIO', test: 'FIXED_HORIZON' }, 11_163, 22_326],
    ['that CUPED makes smaller', { ...mean, varianceReduction: 0.5, test: 'FIXED_HORIZON' }, 5582, 11_164],
    ['of a rate that falls', { ...rate, minimumDetectableLift: -0.1, test: 'FIXED_HORIZON' }, 28_408, 56_816],
    ['of a mean', { ...mean, test: 'FIXED_HORIZON' }, 11_163, 22_326],
    ['of a negative mean', { ...mean, baseline: -10, test: 'FIXED_HORIZON' }, 11_163, 22_326],
    ['that needs hardly anybody', { ...mean, stddev: 1e-300 }, 2, 4],
    ['with more power', { ...rate, power: 0.9, test: 'FIXED_HORIZON' }, 41_813, 83_626],
  ])('%s', (_name, asked, unitsPerVariation, totalUnits) => {
    expect(plan(asked)).toMatchObject({ unitsPerVariation, totalUnits, days: null, recommendedDays: null })
  })

  it('is large enough for all guardrails', () => {
    const guardrail = { type: 'PROPORTION', baseline: 0.2 }
    const found = plan({ ...rate, test: 'FIXED_HORIZON', guardrails: [guardrail] }) as SampleSize
    // z(0.95) + z(0.9), from the two metrics that have to succeed.
    const exact = ((1.6448536 + 1.2815516) ** 2 * 0.16 * (1 + 0.98 ** 2)) / (0.02 * 0.2) ** 2
    expect(found.guardrails).toEqual([{ unitsPerVariation: Math.ceil(exact) }])
    expect(found.unitsPerVariation).toBe(Math.ceil(exact))
    expect(found.primaryUnitsPerVariation).toBe(41_813)
    const wide = plan({ ...rate, test: 'FIXED_HORIZON', guardrails: [{ ...guardrail, nonInferiorityMargin: 0.1 }] })
    expect(wide).toMatchObject({ unitsPerVariation: 41_813, primaryUnitsPerVariation: 41_813 })
    expect((wide as SampleSize).assumptions.join(' ')).toContain('planned with a power of 90 %')
  })

  it('takes whole weeks', () => {
    const asked = { ...rate, test: 'FIXED_HORIZON', unitsPerDay: 4000 }
    expect(plan(asked)).toMatchObject({ days: 16, recommendedDays: 21 })
    expect(plan({ ...asked, unitsPerDay: 1_000_000 })).toMatchObject({ days: 1, recommendedDays: 7 })
  })

  it.each<[string, object]>([
    ['a rate', rate],
    ['a rate that falls', { ...rate, minimumDetectableLift: -0.1 }],
    ['a mean at a fixed end', { ...mean, test: 'FIXED_HORIZON' }],
    ['a negative mean', { ...mean, baseline: -10 }],
  ])('says what tests of whole weeks find of %s, by the same formula', (_name, asked) => {
    const { durations } = plan({ ...asked, unitsPerDay: 4000 }) as SampleSize
    expect(durations!.map(({ days }) => days)).toEqual([7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84])
    for (const { unitsPerVariation, minimumDetectableLift } of durations!) {
      const again = plan({ ...asked, minimumDetectableLift }) as SampleSize
      // Lifts are not rounded, so the result has the same units.
      expect(Math.abs(again.unitsPerVariation - unitsPerVariation)).toBeLessThanOrEqual(1)
    }
  })

  it('says that too few visitors find nothing', () => {
    const { durations } = plan({ ...rate, unitsPerDay: 0.1 }) as SampleSize
    expect(durations![0]).toEqual({ days: 7, unitsPerVariation: 0, minimumDetectableLift: null })
    expect((plan(rate) as SampleSize).durations).toBeNull()
  })

  it('says what it assumes', () => {
    const { assumptions } = plan({ ...rate, variations: 3, unitsPerDay: 100 }) as { assumptions: string[] }
    expect(assumptions.join(' ')).toMatch(/5 %.* at 2\.5 %.* same share .*1\.8 times.* separately.* count once/)
    expect(assumptions[0]).toContain('The baseline is 0.05. The test finds a change to 0.055 or further')
  })

  it.each<[string, object]>([
    ['minimumDetectableLift', { ...rate, minimumDetectableLift: 0 }],
    ['minimumDetectableLift', { ...rate, minimumDetectableLift: 19 }],
    ['minimumDetectableLift', { ...rate, minimumDetectableLift: 1e-9 }],
    ['power', { ...rate, power: 0.01 }],
    ['power', { ...mean, alpha: 0.2, power: 0.2 }],
    ['baseline', { ...rate, baseline: 5 }],
    ['baseline', { ...rate, baseline: 0 }],
    ['baseline', { ...mean, baseline: 0 }],
    ['stddev', { ...rate, stddev: 1 }],
    ['stddev', { ...mean, stddev: null }],
    ['stddev', { ...mean, type: 'RATIO', stddev: null }],
    ['varianceReduction', { ...mean, type: 'RATIO', varianceReduction: 0.1 }],
    ['guardrails', { ...rate, guardrails: [{ type: 'PROPORTION', baseline: 1 }] }],
    ['guardrails', { ...rate, guardrails: [{ type: 'MEAN', baseline: 1 }] }],
    ['guardrails', { ...rate, guardrails: [{ type: 'PROPORTION', baseline: 1e-9 }] }],
  ])('needs a better %s', (field, asked) => {
    expect(JSON.stringify(plan(asked))).toContain(field)
    expect(plan(asked)).not.toHaveProperty('unitsPerVariation')
  })
})
