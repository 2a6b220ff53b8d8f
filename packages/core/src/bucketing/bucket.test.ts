import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucket, bucketCount } from './bucket.ts'

describe('bucket', () => {
  it.each([
    ['rule-a', 'user-1', 8277],
    ['rule-a', 'user-2', 4288],
    ['rule-b', 'user-1', 5718],
    ['rule-a', 'ünïcode-😀', 4281],
    ['rule-a', '', 3691],
  ])('maps salt %j and unit %j to %i', (salt, unit, expected) => {
    expect(bucket(salt, unit)).toBe(expected)
  })

  it('is a deterministic integer from 0 to 9999', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (salt, unit) => {
        const place = bucket(salt, unit)
        expect(Number.isInteger(place) && place >= 0 && place < bucketCount).toBe(true)
        expect(bucket(salt, unit)).toBe(place)
      }),
    )
  })
})
