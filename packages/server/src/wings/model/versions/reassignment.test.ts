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
  ['what it buckets by', { bucketBy: 'account.id' }, true],
  ['its traffic', { trafficAllocation: 100 }, false],
  ['its name', { name: 'Other' }, false],
  ['its conditions', { conditions: { any: [] } }, false],
  ['nothing', {}, false],
])('a test that changes %s: reassigns visitors is %s', (_what, edit, expected) => {
  expect(reassigns(abTest('a'), abTest('a', edit))).toBe(expected)
})

test('a delivery rule shows one variation: it never reassigns', () => {
  expect(reassigns(deliveryRule('a'), deliveryRule('a', { salt: 'other', bucketBy: 'email' }))).toBe(false)
})

test('the rules of two versions that reassign are named', () => {
  const live = versionOf([abTest('kept'), abTest('moved'), abTest('deleted')])
  const draft = versionOf([abTest('new', { salt: 'x' }), abTest('moved', { salt: 'x' }), abTest('kept')])
  expect(reassigningRules(live, draft)).toEqual(['moved'])
})
