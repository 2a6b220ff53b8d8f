import { expect, test } from 'vitest'
import { deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import {
  besideExperiments,
  leavingRules,
  refusesRestore,
  refusesUnknown,
  restoredDraft,
  restoredReferences,
  returningRules,
} from './restore.ts'

const flag = { flagId: 'f', key: 'checkout', live: versionOf(), ruleIds: [] }

test('default, overrides and rules are restored, and variations stay as they are now', () => {
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

test('references to a deleted variation are named', () => {
  const draft = versionOf([], { variations: [off] })
  const past = { fragment: null, live: versionOf([deliveryRule('r')]) }
  expect(refusesRestore([{ ...flag, draft, past }])).toMatchObject({
    refusal: 'invalid_state',
    message: 'The revision serves variations that no longer exist: on of checkout.',
    details: { references: [{ type: 'rule', id: 'r', flagId: 'f', flagKey: 'checkout', variationKey: 'on' }] },
  })
  expect(refusesRestore([{ ...flag, draft, past: { fragment: null, live: versionOf() } }])).toBeUndefined()
})

test('a deleted rule is restored with its switch on if the revision served it', () => {
  const live = versionOf(['kept', 'served', 'paused'].map((id) => deliveryRule(id)))
  const fragment = '"checkout":{"rules":[{"id":"kept"},{"id":"served"}]}'
  expect(returningRules({ past: { fragment, live }, ruleIds: ['kept'] })).toEqual([
    { id: 'served', enabled: true },
    { id: 'paused', enabled: false },
  ])
})

test('the switch of a rule is removed when no version contains the rule', () => {
  const past = { fragment: null, live: versionOf([deliveryRule('old')]) }
  const live = versionOf([deliveryRule('live')])
  expect(leavingRules({ live, past, ruleIds: ['old', 'live', 'drafted'] })).toEqual(['drafted'])
})

test('a deleted audience is named once', () => {
  const rules = ['r', 's'].map((id) => deliveryRule(id, { audienceIds: ['gone', 'kept'] }))
  const references = restoredReferences([{ past: { fragment: null, live: versionOf(rules) } }])
  expect(refusesUnknown(references, new Set(['kept']))).toMatchObject({
    refusal: 'invalid_state',
    details: { references: [{ type: 'audience', id: 'gone' }] },
  })
  expect(refusesUnknown(references, new Set(['kept', 'gone']))).toBeUndefined()
})

test('a restore keeps the rules of experiments, and does not bring back those of ended ones', () => {
  const list = (ruleId: string) => ({ ruleId, entries: [] })
  const overrides = (...ids: string[]) => ({ environmentAllowlist: [], ruleAllowlists: ids.map(list) })
  const { past } = besideExperiments({
    ...flag,
    draft: versionOf([deliveryRule('plain'), deliveryRule('running'), deliveryRule('drafted')], {
      overrides: overrides('plain', 'running'),
    }),
    past: {
      fragment: null,
      live: versionOf([deliveryRule('drafted', { name: 'Earlier' }), deliveryRule('ended'), deliveryRule('plain')], {
        overrides: overrides('ended', 'plain', 'drafted'),
      }),
    },
    ruleIds: ['plain', 'running', 'drafted'],
    ownedIds: ['running', 'ended', 'drafted'],
    unlaunchedIds: ['drafted'],
  })
  expect(past.live.rules).toEqual(['plain', 'running', 'drafted'].map((id) => deliveryRule(id)))
  expect(past.live.overrides.ruleAllowlists).toEqual([list('plain'), list('running')])
})
