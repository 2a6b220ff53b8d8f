import { describe, expect, it } from 'vitest'
import type { Draft } from '../drafts/draft.ts'
import type { RuleDefinition } from '../rules/rule-rows.ts'
import { compare, copied, pairsOf, type Side, withAllRules } from './comparison.ts'

const rule = (id: string, name: string, more = {}) =>
  ({
    id,
    shortId: Number(id.slice(1)),
    salt: id,
    hashVersion: 1,
    type: 'TARGETED_DELIVERY',
    name,
    audienceIds: [],
    conditions: { all: [] },
    trafficAllocation: 10_000,
    variationKey: 'on',
    ...more,
  }) as unknown as RuleDefinition
const draft = (rules: RuleDefinition[], more: Partial<Draft> = {}): Draft => ({
  rules,
  defaultVariationKey: 'off',
  overrides: { environmentAllowlist: [], ruleAllowlists: [] },
  ...more,
})
const side = (rules: RuleDefinition[], more: Partial<Draft> = {}, paused: string[] = []): Side => ({
  draft: draft(rules, more),
  isRunning: true,
  switches: new Map(rules.map(({ id }) => [id, !paused.includes(id)])),
})
const always = (userIds: string[], variationKey = 'on') => ({
  overrides: { environmentAllowlist: [{ variationKey, userIds }], ruleAllowlists: [] },
})
const inRule = (ruleId: string, ...userIds: string[]) => ({
  overrides: { environmentAllowlist: [], ruleAllowlists: [{ ruleId, entries: [{ variationKey: 'on', userIds }] }] },
})

describe('what differs between two environments', () => {
  it.each<[string, Side, Side, [string, string, string][]]>([
    ['nothing, with other ids and draws', side([rule('l1', 'Beta')]), side([rule('r1', 'Beta')]), []],
    ['the switch', side([]), { ...side([]), isRunning: false }, [['Switch', 'Running', 'Paused']]],
    ['what everyone else gets', side([]), side([], { defaultVariationKey: 'on' }), [['Everyone else', 'off', 'on']]],
    [
      'the share of a rule and its switch',
      side([rule('l1', 'Beta', { trafficAllocation: 2500 })], {}, ['l1']),
      side([rule('r1', 'Beta')]),
      [['Beta', 'Share: 25\u00a0%. Paused', 'Share: 100\u00a0%. Running']],
    ],
    [
      'a rule that is only here',
      side([rule('l1', 'Beta: one', { trafficAllocation: 2500 })]),
      side([]),
      [['Beta: one', '25\u00a0% of everyone get on', 'No such rule']],
    ],
    [
      'visitors with the same count',
      side([], always(['u-1'])),
      side([], always(['u-2', 'u-3', 'u-4', 'u-5'])),
      [['Individual visitors', 'u-1 gets on', 'u-2, u-3, u-4 and 1 other get on']],
    ],
    [
      'visitors of a rule',
      side([rule('l1', 'Beta')], inRule('l1', 'u-1')),
      side([rule('r1', 'Beta')]),
      [['Beta', 'Individual visitors: u-1 gets on', 'Individual visitors: none']],
    ],
    [
      'the order',
      side([rule('l1', 'A'), rule('l2', 'B')]),
      side([rule('r2', 'B'), rule('r1', 'A')]),
      [['Order of the rules', 'A, B', 'B, A']],
    ],
  ])('%s', (_, left, right, expected) => {
    const { differences } = compare([left, right], {})
    expect(differences.map(({ subject, words }) => [subject, ...words])).toEqual(expected)
  })

  it('pairs rules of one name in their order, and counts those that are the same', () => {
    const left = [rule('l1', 'A'), rule('l2', 'A'), rule('l3', 'C')]
    const right = [
      rule('r1', 'A'),
      rule('r2', 'B'),
      rule('r3', 'A'),
      rule('r4', 'C', { type: 'AB_TEST', variations: [] }),
    ]
    expect(pairsOf(left, right).map((pair) => pair.map((each) => each?.id))).toEqual([
      ['l1', 'r1'],
      [undefined, 'r2'],
      ['l2', 'r3'],
      [undefined, 'r4'],
      ['l3', undefined],
    ])
    expect(compare([side(left), side(right)], {}).same).toBe(2)
  })
})

describe('copying across', () => {
  const copy = (which: string, left: Side, right: Side, from: 0 | 1) =>
    copied(compare([left, right], {}).differences.find(({ subject }) => subject === which)!, from, [
      left.draft,
      right.draft,
    ])

  it('changes a rule that is there, and leaves its id and its draw', () => {
    const [left, right] = [side([rule('l1', 'A', { trafficAllocation: 1 })]), side([rule('r1', 'A')])]
    expect(copy('A', left, right, 0).rules).toEqual([rule('r1', 'A', { trafficAllocation: 1 })])
    expect(copy('A', left, right, 1).rules).toEqual([rule('l1', 'A')])
  })

  it('adds a rule behind the one that it follows, with its visitors', () => {
    const left = side([rule('l1', 'A'), rule('l2', 'B')], inRule('l2', 'u-1'))
    const right = side([rule('r1', 'A'), rule('r3', 'C')])
    expect(copy('B', left, right, 0)).toEqual(
      draft([rule('r1', 'A'), rule('l2', 'B'), rule('r3', 'C')], inRule('l2', 'u-1')),
    )
  })

  it('copies the default, the order and the visitors of the environment alone', () => {
    const [a, b] = [rule('l1', 'A'), rule('l2', 'B')]
    const [one, two] = [rule('r1', 'A'), rule('r2', 'B')]
    expect(copy('Everyone else', side([], { defaultVariationKey: 'on' }), side([]), 0)).toEqual(
      draft([], { defaultVariationKey: 'on' }),
    )
    expect(copy('Order of the rules', side([a, b]), side([two, one]), 0)).toEqual(draft([one, two]))
    expect(copy('Individual visitors', side([], always(['u-1'])), side([one], inRule('r1', 'u-9')), 0)).toEqual(
      draft([one], {
        overrides: { ...always(['u-1']).overrides, ruleAllowlists: inRule('r1', 'u-9').overrides.ruleAllowlists },
      }),
    )
  })

  it('copies all rules and keeps what only the other side has', () => {
    const source = draft([rule('l1', 'A'), rule('l2', 'B', { trafficAllocation: 5 }), rule('l3', 'C')])
    const target = draft([rule('r2', 'B'), rule('r9', 'Own'), rule('r1', 'A')])
    expect(
      withAllRules(source, target).rules.map(({ id, name, trafficAllocation }) => [id, name, trafficAllocation]),
    ).toEqual([
      ['r1', 'A', 10_000],
      ['r2', 'B', 5],
      ['r9', 'Own', 10_000],
      ['l3', 'C', 10_000],
    ])
  })
})
