import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustPValues, benjaminiHochberg, holm } from './multiplicity.ts'

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })

describe.each([
  ['Holm', holm],
  ['Benjamini and Hochberg', benjaminiHochberg],
])('the adjustment of %s', (_name, adjust) => {
  it('keeps the order, and never lowers a p-value or raises it above 1', () => {
    fc.assert(
      fc.property(pValues, (raw) => {
        const adjusted = adjust(raw)
        for (const [i, p] of raw.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p - 1e-12)
          expect(adjusted[i]).toBeLessThanOrEqual(1)
          for (const [j, other] of raw.entries()) if (p <= other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!)
        }
      }),
      { numRuns: 100, seed: 1 },
    )
  })
})

it('Holm rejects no more than Benjamini and Hochberg', () => {
  fc.assert(
    fc.property(pValues, (raw) => {
      const [strict, mild] = [holm(raw), benjaminiHochberg(raw)]
      expect(strict.every((p, i) => p >= mild[i]! - 1e-12)).toBe(true)
    }),
    { numRuns: 100, seed: 1 },
  )
})

it('with Holm, a comparison more never lowers the adjusted p-value of another', () => {
  fc.assert(
    fc.property(pValues, fc.double({ min: 0, max: 1, noNaN: true }), (raw, more) => {
      const before = adjustPValues([...raw, null], 'HOLM')
      const after = adjustPValues([...raw, more], 'HOLM')
      for (const [i] of raw.entries()) expect(after[i]).toBeGreaterThanOrEqual(before[i]! - 1e-12)
    }),
    { numRuns: 100, seed: 1 },
  )
})

it('comparisons without a result do not count', () => {
  expect(adjustPValues([0.02, null, 0.01], 'HOLM')).toEqual([0.02, null, 0.02])
  expect(adjustPValues([0.02, null, 0.01], 'BENJAMINI_HOCHBERG')).toEqual([0.02, null, 0.02])
  expect(adjustPValues([0.02, null], 'NONE')).toEqual([0.02, null])
  expect(adjustPValues([], 'HOLM')).toEqual([])
})
