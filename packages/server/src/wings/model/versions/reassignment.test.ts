import { expect, test } from 'vitest'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { reassigningRules, reassigns } from './reassignment.ts'

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

test('reassigning rules of two versions are named', () => {
  const live = versionOf([abTest('kept'), abTest('moved'), abTest('deleted')])
  const draft = versionOf([abTest('new', { salt: 'x' }), abTest('moved', { salt: 'x' }), abTest('kept')])
  expect(reassigningRules(live, draft)).toEqual(['moved'])
})
