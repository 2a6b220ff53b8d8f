import { assert, integer, property, uniqueArray } from 'fast-check'
import { expect, it } from 'vitest'
import { admitted, held } from './held.ts'

const numbers = uniqueArray(integer({ min: 1, max: 30 }))

it('a held list keeps the order, loses nothing, and puts what is new aside', () => {
  assert(
    property(numbers, numbers, (order, now) => {
      const { shown, waiting } = held(now, order.map(String), String)
      expect(shown).toEqual(order.filter((each) => now.includes(each)))
      expect(waiting).toEqual(now.filter((each) => !order.includes(each)))
    }),
  )
})

it.each([
  ['at the end of a further page', ['b', 'a'], ['a', 'b', 'c'], ['c'], ['b', 'c', 'a']],
  ['at the beginning', ['b'], ['a', 'b'], ['a'], ['a', 'b']],
  ['several beside each other', ['a', 'd'], ['a', 'b', 'c', 'd'], ['b', 'c'], ['a', 'b', 'c', 'd']],
  ['not what waits', ['b'], ['a', 'b', 'c'], ['c'], ['b', 'c']],
  ['nothing', ['a'], ['b', 'a'], [], ['a']],
])('a held list takes up %s', (_, order, keys, wanted, result) => {
  expect(admitted(order, keys, new Set(wanted))).toEqual(result)
})

it('a held list takes up what is wanted and moves nothing else', () => {
  assert(
    property(numbers, numbers, (order, now) => {
      const keys = now.map(String)
      const result = admitted(order.map(String), keys, new Set(keys))
      expect(result.filter((key) => order.map(String).includes(key))).toEqual(order.map(String))
      expect(new Set(result)).toEqual(new Set([...order.map(String), ...keys]))
      expect(result.length).toBe(new Set(result).size)
    }),
  )
})
