import { expect, test } from 'vitest'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { movedShare, reassignments, reassigns } from './reassignment.ts'

const weights = (first: number, second: number) => [
  { variationId: on.id, weight: first },
  { variationId: off.id, weight: second },
]

test.each([
  ['its weights', { variations: weights(8000, 2000) }, true],
  ['the order of its variations', { variations: weights(5000, 5000).reverse() }, true],
  ['its salt', { salt: 'other' }, true],
  ['its bucketBy', { bucketBy: 'account.id' }, true],
  ['its traffic', { trafficAllocation: 100 }, false],
  ['its name', { name: 'Other' }, false],
  ['its conditions', { conditions: { any: [] } }, false],
  ['nothing', {}, false],
])('a change of %s of an A/B test reassigns visitors: %s', (_what, edit, expected) => {
  expect(reassigns(abTest('a'), abTest('a', edit))).toBe(expected)
})

test('a targeted delivery serves one variation, so it never reassigns visitors', () => {
  expect(reassigns(deliveryRule('a'), deliveryRule('a', { salt: 'other', bucketBy: 'email' }))).toBe(false)
})

test.each([
  ['weights that are the same', weights(5000, 5000), {}, 0],
  ['a larger first variation', weights(8000, 2000), {}, 0.3],
  ['the other order of equal weights', weights(5000, 5000).reverse(), {}, 1],
  ['the other order of other weights', weights(2000, 8000).reverse(), {}, 0.7],
  ['one variation of two', [{ variationId: on.id, weight: 10_000 }], {}, 0.5],
  ['another salt', weights(5000, 5000), { salt: 'other' }, 0.5],
  ['another salt and weights', weights(9000, 1000), { bucketBy: 'account.id' }, 0.5],
])('%s: the share of visitors who move', (_what, variations, edit, share) => {
  const before = abTest('a', { variations: weights(5000, 5000) })
  expect(movedShare(before, { ...before, ...edit, variations })).toBeCloseTo(share, 10)
})

test('reassigning rules of two versions are named', () => {
  const live = versionOf([abTest('kept'), abTest('moved'), abTest('deleted')])
  const draft = versionOf([abTest('new', { salt: 'x' }), abTest('moved', { salt: 'x' }), abTest('kept')])
  expect(reassignments(live, draft)).toEqual([{ ruleId: 'moved', share: 0.5 }])
})
