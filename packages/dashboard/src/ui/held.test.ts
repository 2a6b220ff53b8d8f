import { assert, integer, property, uniqueArray } from 'fast-check'
import { expect, it } from 'vitest'
import { held } from './held.ts'

const numbers = uniqueArray(integer({ min: 1, max: 30 }))

it('keeps the order, loses nothing, and puts what is new aside', () => {
  assert(
    property(numbers, numbers, (order, now) => {
      const { shown, waiting } = held(now, order.map(String), String)
      expect(shown).toEqual(order.filter((each) => now.includes(each)))
      expect(waiting).toEqual(now.filter((each) => !order.includes(each)))
    }),
  )
})
