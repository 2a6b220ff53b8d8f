import { expect, test } from 'vitest'
import { abTest, deliveryRule } from '../../../../../testing/versions.ts'
import { startWarnings } from './warnings.ts'

const inNl = { attribute: 'country', operator: 'equals', value: 'NL' } as const
const tested = abTest('b', { conditions: inNl, metrics: { primary: ['paid'], secondary: [], guardrails: [] } })
const slot = { groupId: 'g', shortId: 1, salt: 's', from: 0, to: 2500 }
const heldOut = { id: 'h', shortId: 1, salt: 's', share: 500 }

test.each([
  ['a rollout to everybody', deliveryRule('a'), true],
  ['a test of everybody', abTest('a'), true],
  ['a rule for the same visitors', deliveryRule('a', { conditions: inNl }), true],
  ['a rule for others', deliveryRule('a', { conditions: { ...inNl, value: 'BE' } }), false],
  ['a rule for an audience', deliveryRule('a', { audienceIds: ['x'] }), false],
  ['a part of the traffic', deliveryRule('a', { trafficAllocation: 9999 }), false],
  ['a different attribute', deliveryRule('a', { bucketBy: 'company' }), false],
  ['a slot of a group', abTest('a', { exclusion: slot }), false],
  ['a test with a holdout', abTest('a', { holdout: heldOut }), false],
])('%s before the test takes all of its visitors: %s', (_what, rule, takes) => {
  const codes = startWarnings(tested, [deliveryRule('c', { trafficAllocation: 0 }), rule]).map(({ code }) => code)
  expect(codes).toEqual(takes ? ['NO_VISITORS'] : [])
})

test('a test without a primary metric gets a warning', () => {
  expect(startWarnings(abTest('b'), []).map(({ code }) => code)).toEqual(['NO_PRIMARY_METRIC'])
})
