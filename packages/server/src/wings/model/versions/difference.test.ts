import fc from 'fast-check'
import { expect, test } from 'vitest'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { differences, hasStagedChanges, stagedBetween, stagedRuleSummaries, stagedRules } from './difference.ts'
import type { Version } from './version.ts'

const a = deliveryRule('a')
const b = deliveryRule('b')
const allowlist = (userIds: string[]) => ({
  environmentAllowlist: [{ variationId: on.id, userIds }],
  ruleAllowlists: [],
})

test.each<[string, Version, Version, unknown[]]>([
  ['nothing', versionOf([a]), versionOf([a]), []],
  [
    'the default variation',
    versionOf(),
    versionOf([], { defaultVariationId: on.id }),
    [{ path: 'defaultVariationKey', from: 'off', to: 'on' }],
  ],
  [
    'the value of a variation',
    versionOf(),
    versionOf([], { variations: [{ ...on, value: 'yes' }, off] }),
    [{ path: 'variations.on', from: { key: 'on', value: 'true' }, to: { key: 'on', value: 'yes' } }],
  ],
  [
    'a field of a rule',
    versionOf([a]),
    versionOf([{ ...a, trafficAllocation: 100 }]),
    [{ path: 'rules.a.trafficAllocation', from: 10_000, to: 100 }],
  ],
  [
    'the variations of a rule',
    versionOf([a]),
    versionOf([{ ...a, variationId: off.id }]),
    [{ path: 'rules.a.variationKey', from: 'on', to: 'off' }],
  ],
  [
    'the order of rules',
    versionOf([a, b]),
    versionOf([b, a]),
    [{ path: 'ruleOrder', from: ['a', 'b'], to: ['b', 'a'] }],
  ],
  [
    'the order of rules beside a created and a deleted one',
    versionOf([a, b, abTest('c')]),
    versionOf([b, abTest('d'), a]),
    [
      { path: 'rules.c', from: expect.objectContaining({ id: 'c' }), to: null },
      { path: 'rules.d', from: null, to: expect.objectContaining({ id: 'd' }) },
      { path: 'ruleOrder', from: ['a', 'b', 'c'], to: ['b', 'd', 'a'] },
    ],
  ],
  [
    'the key of a variation, not what refers to it',
    versionOf([a, abTest('c')], { defaultVariationId: on.id, overrides: allowlist(['u-1']) }),
    versionOf([a, abTest('c')], {
      defaultVariationId: on.id,
      overrides: allowlist(['u-1']),
      variations: [{ ...on, key: 'yes' }, off],
    }),
    [{ path: 'variations.on', from: { key: 'on', value: 'true' }, to: { key: 'yes', value: 'true' } }],
  ],
  [
    'the order of variations',
    versionOf(),
    versionOf([], { variations: [off, on] }),
    [{ path: 'variationOrder', from: ['on', 'off'], to: ['off', 'on'] }],
  ],
  [
    'the overrides',
    versionOf(),
    versionOf([], { overrides: allowlist(['u-1']) }),
    [
      {
        path: 'overrides',
        from: { environmentAllowlist: [], ruleAllowlists: [] },
        to: { environmentAllowlist: [{ variationKey: 'on', userIds: ['u-1'] }], ruleAllowlists: [] },
      },
    ],
  ],
])('a difference in %s has the form of the API', (_what, live, draft, expected) => {
  expect(differences(live, draft)).toEqual(expected)
})

test('a created and a deleted rule are shown completely', () => {
  const found = differences(versionOf([a]), versionOf([b]))
  expect(found).toMatchObject([
    { path: 'rules.a', from: { id: 'a', variationKey: 'on' }, to: null },
    { path: 'rules.b', from: null, to: { id: 'b', variationKey: 'on' } },
  ])
  expect(found).toHaveLength(2)
})

test('nothing is staged exactly if the difference is empty', () => {
  const rules = fc.uniqueArray(fc.constantFrom(a, b, { ...a, name: 'Other' }, abTest('c')), {
    selector: ({ id }) => id,
  })
  const version = fc
    .tuple(rules, fc.constantFrom(on.id, off.id), fc.constantFrom<string[]>([], ['u-1'], ['u-2']))
    .map(([held, defaultVariationId, ids]) => versionOf(held, { defaultVariationId, overrides: allowlist(ids) }))
  fc.assert(
    fc.property(version, version, (live, draft) => {
      expect(differences(live, draft).length > 0).toBe(hasStagedChanges(live, draft))
      const { defaultVariationId, variations, overrides, rules: count } = stagedBetween(live, draft)
      expect(defaultVariationId !== null || variations || overrides || count > 0).toBe(hasStagedChanges(live, draft))
    }),
  )
})

test.each([
  ['created', [a], [a, b], ['b']],
  ['deleted', [a, b], [a], ['b']],
  ['edited', [a, b], [{ ...a, name: 'Other' }, b], ['a']],
  ['moved', [a, b], [b, a], ['a', 'b']],
  ['none', [a, b], [a, b], []],
])('a rule that was %s counts as staged', (_how, live, draft, expected) => {
  expect([...stagedRules(versionOf(live), versionOf(draft))].sort()).toEqual(expected)
})

test('staged rules have their new summary, deleted rules their old one', () => {
  const live = versionOf([a, b])
  const draft = versionOf([{ ...a, name: 'Renamed' }])
  expect(stagedRuleSummaries(live, draft).toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
    { id: 'a', shortId: 1, name: 'Renamed', type: 'TARGETED_DELIVERY' },
    { id: 'b', shortId: 2, name: b.name, type: 'TARGETED_DELIVERY' },
  ])
  expect(stagedRuleSummaries(live, live)).toEqual([])
})
