import { describe, expect, it } from 'vitest'
import { merge } from '../../../ui/form/merge.ts'
import { bodyOf, fieldWords, newValues, type RuleValues, valuesOf, withAlways } from './rule-form.ts'

const flag = { variations: [{ key: 'off' }, { key: 'on' }], defaultVariationKey: 'off' }
const fresh = newValues(flag)
const none = { environmentAllowlist: [], ruleAllowlists: [] }

it('a new rule gives everyone the other variation, and a test splits evenly', () => {
  expect(bodyOf('TARGETED_DELIVERY', { ...fresh, name: 'Beta' })).toEqual({
    name: 'Beta',
    description: null,
    audienceIds: [],
    conditions: { all: [] },
    trafficAllocation: 10_000,
    bucketBy: 'targetingKey',
    variationKey: 'on',
    exposures: false,
  })
  expect(bodyOf('AB_TEST', fresh)).toMatchObject({
    variations: [
      { variationKey: 'off', weight: 5000 },
      { variationKey: 'on', weight: 5000 },
    ],
    baselineVariationKey: 'off',
    metrics: { primary: [], secondary: [], guardrails: [] },
    exclusionGroupId: null,
    holdoutId: null,
    sticky: false,
  })
})

it('an edit sends only what was changed', () => {
  const base = { ...fresh, name: 'Beta' }
  expect(bodyOf('TARGETED_DELIVERY', { ...base, trafficAllocation: 5000 }, base)).toEqual({ trafficAllocation: 5000 })
  const metrics: RuleValues['metrics'] = [
    { key: 'errors', role: 'guardrails' },
    { key: 'paid', role: 'primary' },
  ]
  expect(bodyOf('AB_TEST', { ...base, metrics }, base)).toEqual({
    metrics: { primary: ['paid'], secondary: [], guardrails: ['errors'] },
  })
  expect(bodyOf('TARGETED_DELIVERY', { ...base, metrics }, base)).toEqual({})
  expect(bodyOf('TARGETED_DELIVERY', { ...base, always: [{ id: 'u', variationKey: 'on' }] }, base)).toEqual({})
})

describe('visitors who always get a variation', () => {
  const overrides = {
    ...none,
    ruleAllowlists: [
      { ruleId: 'a', entries: [{ variationKey: 'on', userIds: ['u-1', 'u-2'] }] },
      { ruleId: 'b', entries: [{ variationKey: 'off', userIds: ['u-3'] }] },
    ],
  }
  const rule = { ...fresh, id: 'a', type: 'TARGETED_DELIVERY' as const, conditions: { all: [] } }

  it('are read for a rule and written back beside those of others', () => {
    const { always } = valuesOf(rule as never, overrides)
    expect(always).toEqual([
      { id: 'u-1', variationKey: 'on' },
      { id: 'u-2', variationKey: 'on' },
    ])
    const next = withAlways(overrides, 'a', [...always, { id: 'u-4', variationKey: 'off' }])
    expect(next.ruleAllowlists).toEqual([
      overrides.ruleAllowlists[1],
      {
        ruleId: 'a',
        entries: [
          { variationKey: 'on', userIds: ['u-1', 'u-2'] },
          { variationKey: 'off', userIds: ['u-4'] },
        ],
      },
    ])
    expect(withAlways(overrides, 'a', []).ruleAllowlists).toEqual([overrides.ruleAllowlists[1]])
  })

  it('are kept from both if two people add some', () => {
    const [base, mine, theirs]: RuleValues[] = [[], ['m'], ['t']].map((ids) => ({
      ...fresh,
      always: ids.map((id) => ({ id, variationKey: 'on' })),
    })) as [RuleValues, RuleValues, RuleValues]
    const { values, conflicts } = merge(base!, mine!, theirs!)
    expect([values.always.map(({ id }) => id), conflicts]).toEqual([['m', 't'], []])
  })
})

it.each([
  ['trafficAllocation', 2500, '25\u00a0%'],
  ['audienceIds', ['a'], 'Beta users'],
  ['audienceIds', [], 'none'],
  ['conditions', { all: [] }, 'everyone'],
  ['variations', [{ variationKey: 'on', weight: 10_000 }], 'on 100\u00a0%'],
  ['metrics', [{ key: 'paid' }, { key: 'errors' }], 'paid, errors'],
  ['metrics', [], 'none'],
  ['exclusionGroupId', '', 'none'],
  ['holdoutId', 'h', 'another one'],
  ['sticky', true, 'yes'],
  ['always', [{}, {}], '2 visitors'],
  ['description', '', 'empty'],
] as const)('%s %j reads %s', (field, value, words) => {
  expect(fieldWords(field, value, { audiences: new Map([['a', 'Beta users']]) })).toBe(words)
})
