import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packed, productsOf, relating, unpacked } from './chunks.ts'

const pair = fc.record({
  productId: fc.string({ minLength: 1, maxLength: 20 }),
  relatedId: fc.string({ minLength: 1, maxLength: 20 }),
  score: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
})

test('what is packed comes back', () => {
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      expect(unpacked(packed(pairs).bytes)).toEqual(pairs)
    }),
  )
})

test('pairs become columns, whose ids are numbered as they come', () => {
  const related = relating(3)
  related.add([{ productId: 'B', relatedId: 'A', score: 0.5 }])
  related.add([
    { productId: 'A', relatedId: 'B', score: 1 },
    { productId: 'B', relatedId: 'C', score: 2 },
  ])
  expect([related.size(), productsOf(related.end())]).toEqual([3, 2])
  expect(related.end()).toEqual({
    ...{ productIds: ['B', 'A', 'C'], of: Uint32Array.of(0, 1, 0), other: Uint32Array.of(1, 0, 2) },
    scores: Float32Array.of(0.5, 1, 2),
  })
})
