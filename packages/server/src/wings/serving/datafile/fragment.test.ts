import { hashId } from '@svc/core'
import { expect, test } from 'vitest'
import { abTest, deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { type FlagState, fragmentOf as fragmentNamedBy, servedReferences } from './fragment.ts'
import { namesBy } from './names.ts'

const state = (edit: Partial<FlagState> = {}): FlagState => ({
  kind: 'FLAG',
  id: 'f',
  shortId: 7,
  type: 'BOOLEAN',
  archived: false,
  enabled: true,
  live: versionOf([deliveryRule('a', { name: 'Secret plan', description: 'A secret description' }), abTest('b')]),
  enabledRules: new Set(['a', 'b']),
  ...edit,
})

const fragmentOf = (flag: FlagState) => fragmentNamedBy(flag, namesBy({ x: 4, y: 5, s: 6 }))

test('an archived flag is not in the file', () => expect(fragmentOf(state({ archived: true }))).toBeNull())

test.each([
  ['a drafted experiment', { live: versionOf([]) }, false],
  ['a test that is not served', { enabledRules: new Set<string>() }, false],
  ['a test that is served', {}, true],
  ['an archived flag', { archived: true }, false],
  ['a paused flag', { enabled: false }, false],
])('a hidden flag with %s is in the file only while a rule is served', (_what, edit, isThere) => {
  expect(fragmentOf(state({ kind: 'WEB', ...edit })) !== null).toBe(isThere)
})

test('a paused flag has no rules and no overrides, and serves its paused variation', () => {
  const overrides = { environmentAllowlist: [{ variationId: on.id, userIds: ['u'] }], ruleAllowlists: [] }
  const live = versionOf([deliveryRule('a')], { defaultVariationId: on.id, overrides })
  expect(fragmentOf(state({ enabled: false, live }))).toEqual({
    id: '7',
    type: 'BOOLEAN',
    enabled: false,
    variations: { on: 'true', off: 'false' },
    defaultVariation: 'off',
  })
})

test('a paused rule is omitted, and the others keep their order', () => {
  const live = versionOf([deliveryRule('a'), deliveryRule('b'), deliveryRule('c')])
  const fragment = fragmentOf(state({ live, enabledRules: new Set(['c', 'a']) }))
  expect(fragment?.rules?.map(({ id }) => id)).toEqual(['1', '3'])
})

test('names and descriptions are not published', () => {
  const text = JSON.stringify(fragmentOf(state()))
  expect(text).not.toMatch(/Secret plan|eyes|name|description|hypothesis|metrics/)
})

test('weights become the upper ends of ranges', () => {
  const variations = [
    { variationId: on.id, weight: 2500 },
    { variationId: off.id, weight: 7500 },
  ]
  const fragment = fragmentOf(state({ live: versionOf([abTest('b', { variations })]) }))
  expect(fragment?.rules?.[0]).toMatchObject({
    split: [
      { variation: 'on', end: 2500 },
      { variation: 'off', end: 10_000 },
    ],
  })
})

test('allowlists of the environment and of a rule are published as hash to variation key', () => {
  const entries = [{ variationId: on.id, userIds: ['u-1', '__proto__'] }]
  const overrides = { environmentAllowlist: entries, ruleAllowlists: [{ ruleId: 'a', entries }] }
  const fragment = fragmentOf(state({ live: versionOf([deliveryRule('a'), deliveryRule('b')], { overrides }) }))
  const salt = fragment!.overrideSalt!
  const expected = Object.fromEntries(['u-1', '__proto__'].map((id) => [hashId(salt, id), 'on']))
  expect(fragment?.overrides).toEqual(expected)
  expect(fragment?.rules?.[0]?.overrides).toEqual(expected)
  expect(fragment?.rules?.[1]).not.toHaveProperty('overrides')
})

test('the override salt is present if and only if there are overrides', () => {
  const entries = [{ variationId: on.id, userIds: ['u-1'] }]
  const overrides = { environmentAllowlist: [], ruleAllowlists: [{ ruleId: 'a', entries }] }
  const live = versionOf([deliveryRule('a')], { overrides })
  expect(fragmentOf(state({ live }))).toHaveProperty('overrideSalt')
  expect(fragmentOf(state({ live, enabledRules: new Set() }))).not.toHaveProperty('overrideSalt')
})

test('a rule requires its audience in addition to its conditions', () => {
  const conditions = { attribute: 'plan', operator: 'equals', value: 'beta' } as const
  const live = versionOf([deliveryRule('a', { audienceIds: ['x', 'y'], conditions })])
  expect(fragmentOf(state({ live }))?.rules?.[0]?.when).toEqual({
    all: [{ any: [{ audience: '4' }, { audience: '5' }] }, conditions],
  })
})

test('only fields that equal their default are omitted', () => {
  const least = { id: '1', type: 'TARGETED_DELIVERY', salt: 'a', variation: 'on' }
  const served = (edit: Parameters<typeof deliveryRule>[1]) =>
    fragmentOf(state({ live: versionOf([deliveryRule('a', edit)]) }))?.rules?.[0]
  expect(served({})).toEqual(least)
  expect(served({ bucketBy: 'account' })).toEqual({ ...least, bucketBy: ['account'] })
  expect(served({ trafficAllocation: 0 })).toEqual({ ...least, traffic: 0 })
  expect(served({ conditions: { any: [] } })).toEqual({ ...least, when: { any: [] } })
  expect(served({ exposures: true })).toEqual({ ...least, exposures: true })
  expect(served({ audienceIds: ['x'] })).toEqual({ ...least, when: { any: [{ audience: '4' }] } })
  expect(fragmentOf(state({ live: versionOf() }))).not.toHaveProperty('rules')
})

test('segments are named by short id at any depth, and reported by id', () => {
  const conditions = { any: [{ not: { segment: 's' } }, { all: [{ audience: 'y' }] }] }
  const flag = state({ live: versionOf([deliveryRule('a', { conditions, audienceIds: ['y'] })]) })
  expect(fragmentOf(flag)?.rules?.[0]?.when).toEqual({
    all: [{ any: [{ audience: '5' }] }, { any: [{ not: { segment: '6' } }, { all: [{ audience: '5' }] }] }],
  })
  expect(servedReferences(flag)).toEqual(['y', 's'])
  expect(servedReferences({ ...flag, enabled: false })).toEqual([])
})

test('a live version that refers to a missing variation throws', () => {
  expect(() => fragmentOf(state({ live: versionOf([deliveryRule('a', { variationId: 'gone' })]) }))).toThrow('gone')
})
