import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deliveryRule } from '../../../../testing/versions.ts'
import { placeAmong } from './placement.ts'

const rules = (ids: string) => [...ids].map((id) => deliveryRule(id))
const idsOf = (placed: { id: string }[]) => placed.map(({ id }) => id).join('')

test.each([
  ['in an empty list', '', 'x', 'x'],
  ['first in the draft', 'ab', 'xab', 'xab'],
  ['between two', 'ab', 'axb', 'axb'],
  ['last in the draft', 'ab', 'abx', 'abx'],
  ['after the nearest predecessor that is live', 'ac', 'abxc', 'axc'],
  ['before its successor when no predecessor is live', 'c', 'axc', 'xc'],
  ['last when no neighbour is live', 'yz', 'axb', 'yzx'],
  ['where the draft reordered the others', 'ab', 'bxa', 'abx'],
])('a rule is placed %s', (_where, live, draft, placed) => {
  expect(idsOf(placeAmong(rules(live), rules(draft), deliveryRule('x')))).toBe(placed)
})

test('the live rules keep their order, regardless of the draft', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))
  const orders = fc.tuple(ids, ids, fc.nat(8))
  fc.assert(
    fc.property(orders, ([live, others, at]) => {
      const draft = others.toSpliced(at, 0, 'x').join('')
      const placed = idsOf(placeAmong(rules(live.join('')), rules(draft), deliveryRule('x')))
      expect(placed.replace('x', '')).toBe(live.join(''))
      expect(placed).toContain('x')
    }),
  )
})

test('if live version and draft agree on the order, a rule gets its exact place of the draft', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...'abcdefgh')), fc.nat(8), (order, at) => {
      const draft = order.toSpliced(at, 0, 'x').join('')
      expect(idsOf(placeAmong(rules(order.join('')), rules(draft), deliveryRule('x')))).toBe(draft)
    }),
  )
})
