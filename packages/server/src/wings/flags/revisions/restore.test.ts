import { expect, test } from 'vitest'
import { deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import {
  leavingRules,
  refusesRestore,
  refusesUnknown,
  restoredDraft,
  restoredReferences,
  returningRules,
} from './restore.ts'

const flag = { flagId: 'f', key: 'checkout', live: versionOf(), ruleIds: [] }

test('default, overrides and rules come back; variations stay as the flag has them now', () => {
  const renamed = { ...on, key: 'enabled', value: 'yes' }
  const draft = versionOf([deliveryRule('new')], { variations: [renamed, off], pausedVariationId: on.id })
  const overrides = { environmentAllowlist: [{ variationId: on.id, userIds: ['u'] }], ruleAllowlists: [] }
  const live = versionOf([deliveryRule('old')], { defaultVariationId: on.id, overrides })
  expect(restoredDraft({ draft, past: { fragment: null, live } })).toEqual({
    variations: [renamed, off],
    pausedVariationId: on.id,
    defaultVariationId: on.id,
    overrides,
    rules: live.rules,
  })
})

test('what serves a variation that is gone is named', () => {
  const draft = versionOf([], { variations: [off] })
  const past = { fragment: null, live: versionOf([deliveryRule('r')]) }
  expect(refusesRestore([{ ...flag, draft, past }])).toMatchObject({
    refusal: 'invalid_state',
    message: 'The revision serves variations that no longer exist: on of checkout.',
    details: { references: [{ type: 'rule', id: 'r', flagId: 'f', flagKey: 'checkout', variationKey: 'on' }] },
  })
  expect(refusesRestore([{ ...flag, draft, past: { fragment: null, live: versionOf() } }])).toBeUndefined()
})

test('a deleted rule comes back switched on where the revision served it', () => {
  const live = versionOf(['kept', 'served', 'paused'].map((id) => deliveryRule(id)))
  const fragment = '"checkout":{"rules":[{"id":"kept"},{"id":"served"}]}'
  expect(returningRules({ past: { fragment, live }, ruleIds: ['kept'] })).toEqual([
    { id: 'served', enabled: true },
    { id: 'paused', enabled: false },
  ])
})

test('a switch goes with the last version that holds its rule', () => {
  const past = { fragment: null, live: versionOf([deliveryRule('old')]) }
  const live = versionOf([deliveryRule('live')])
  expect(leavingRules({ live, past, ruleIds: ['old', 'live', 'drafted'] })).toEqual(['drafted'])
})

test('an audience that was deleted since is named once', () => {
  const rules = ['r', 's'].map((id) => deliveryRule(id, { audienceIds: ['gone', 'kept'] }))
  const references = restoredReferences([{ past: { fragment: null, live: versionOf(rules) } }])
  expect(refusesUnknown(references, new Set(['kept']))).toMatchObject({
    refusal: 'invalid_state',
    details: { references: [{ type: 'audience', id: 'gone' }] },
  })
  expect(refusesUnknown(references, new Set(['kept', 'gone']))).toBeUndefined()
})
