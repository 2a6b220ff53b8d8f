import { expect, test } from 'vitest'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../../testing/versions.ts'
import { deliveryOf, rolledOut } from './winner.ts'

const tested = abTest('b', {
  name: 'Copy',
  conditions: { attribute: 'country', operator: 'equals', value: 'NL' },
  bucketBy: 'company',
  trafficAllocation: 100,
})

test('a delivery has the key and the audience of the test, all of the traffic, and sends no exposures', () => {
  const { salt: _salt, ...expected } = deliveryRule('z', {
    ...{ name: tested.name, conditions: tested.conditions, bucketBy: tested.bucketBy, shortId: 7, key: tested.key },
    trafficAllocation: 10_000,
    variationId: on.id,
  })
  const delivery = deliveryOf(tested, { id: 'z', shortId: 7, variationId: on.id })
  expect(delivery).toEqual({ ...expected, salt: expect.any(String) })
  expect(delivery.salt).not.toBe(tested.salt)
})

test('a roll-out puts the delivery in the place of the test, and drops the allowlist of the test', () => {
  const [first, last, delivery] = [deliveryRule('a'), deliveryRule('c'), deliveryRule('z')]
  const entries = [{ variationId: off.id, userIds: ['qa'] }]
  const [own, other] = ['b', 'c'].map((ruleId) => ({ ruleId, entries }))
  const before = versionOf([first, tested, last], {
    overrides: { environmentAllowlist: entries, ruleAllowlists: [own!, other!] },
  })
  expect(rolledOut(before, 'b', delivery)).toEqual(
    versionOf([first, delivery, last], { overrides: { environmentAllowlist: entries, ruleAllowlists: [other!] } }),
  )
  expect(rolledOut(versionOf([first]), 'b', delivery)).toEqual(versionOf([first]))
})
