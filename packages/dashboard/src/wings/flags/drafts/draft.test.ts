import { describe, expect, it } from 'vitest'
import type { RuleDefinition } from '../rules/rule-rows.ts'
import { type Draft, differingPaths, steps, withPaths } from './draft.ts'

const rule = (id: string, more = {}) =>
  ({ id, name: id, type: 'TARGETED_DELIVERY', shortId: 1, ...more }) as RuleDefinition
const always = (variationKey: string, ...userIds: string[]) => ({ variationKey, userIds })
const draft = (rules: RuleDefinition[], more: Partial<Draft> = {}): Draft => ({
  rules,
  defaultVariationKey: 'off',
  overrides: { environmentAllowlist: [], ruleAllowlists: [] },
  ...more,
})
const overridesOf = (ruleId: string) => ({
  environmentAllowlist: [],
  ruleAllowlists: [{ ruleId, entries: [always('on', 'u-1')] }],
})
const [a, b, c] = ['a', 'b', 'c'].map((id) => rule(id)) as [RuleDefinition, RuleDefinition, RuleDefinition]

describe('the calls between two drafts', () => {
  it.each<[string, Draft, Draft, object[]]>([
    ['the same', draft([a, b]), draft([rule('a', { shortId: 7 }), b]), []],
    ['another default', draft([]), draft([], { defaultVariationKey: 'on' }), [{ does: 'default', variationKey: 'on' }]],
    [
      'an edited rule',
      draft([a, b]),
      draft([a, rule('b', { name: 'B', trafficAllocation: 5000 })]),
      [{ does: 'update', id: 'b', body: { name: 'B', trafficAllocation: 5000 } }],
    ],
    ['a new rule at its place', draft([a, c]), draft([a, b, c]), [{ does: 'create', rule: b, position: 1 }]],
    ['a rule less', draft([a, b, c]), draft([a, c]), [{ does: 'delete', id: 'b' }]],
    ['another order', draft([a, b]), draft([b, a]), [{ does: 'order', ids: ['b', 'a'] }]],
    [
      'one for the other',
      draft([a, b]),
      draft([b, c]),
      [
        { does: 'delete', id: 'a' },
        { does: 'create', rule: c, position: 1 },
      ],
    ],
    [
      'other overrides',
      draft([a]),
      draft([a], { overrides: overridesOf('a') }),
      [{ does: 'override', overrides: overridesOf('a') }],
    ],
  ])('%s', (_, current, wanted, expected) => {
    expect(steps(current, wanted)).toEqual(expected)
  })
})

describe('putting back what was discarded', () => {
  it.each<[string, Draft, Draft, string[], Draft]>([
    ['a field', draft([a]), draft([rule('a', { name: 'A' })]), ['rules.a.name'], draft([rule('a', { name: 'A' })])],
    [
      'a field, beside an edit made since',
      draft([rule('a', { name: 'a', description: 'new' }), b]),
      draft([rule('a', { name: 'A' })]),
      ['rules.a.name'],
      draft([rule('a', { name: 'A', description: 'new' }), b]),
    ],
    ['a deletion', draft([a, b]), draft([b]), ['rules.a'], draft([b])],
    ['a new rule, behind its neighbor', draft([c, a]), draft([a, b, c]), ['rules.b'], draft([c, a, b])],
    [
      'a new rule with its visitors',
      draft([]),
      draft([a], { overrides: overridesOf('a') }),
      ['rules.a'],
      draft([a], { overrides: overridesOf('a') }),
    ],
    ['an order, beside a new rule', draft([a, b, c]), draft([b, a]), ['ruleOrder'], draft([b, a, c])],
    ['a field of a rule that is gone', draft([b]), draft([a, b]), ['rules.a.name'], draft([b])],
    [
      'the default',
      draft([a]),
      draft([], { defaultVariationKey: 'on' }),
      ['defaultVariationKey'],
      draft([a], { defaultVariationKey: 'on' }),
    ],
  ])('%s', (_, current, earlier, paths, expected) => {
    expect(withPaths(current, earlier, paths)).toEqual(expected)
  })

  it('at all paths that differ gives the earlier draft', () => {
    const now = draft([c, rule('a', { name: 'A' })], { defaultVariationKey: 'on' })
    const earlier = draft([a, b, c], { overrides: overridesOf('b') })
    const paths = differingPaths(earlier, now)
    expect(paths).toEqual(['rules.a.name', 'rules.b', 'ruleOrder', 'defaultVariationKey', 'overrides'])
    expect(withPaths(now, earlier, paths)).toEqual(earlier)
  })
})
