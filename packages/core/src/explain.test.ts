import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition } from './conditions/conditions.ts'
import type { DataFile, Flag, Rule } from './datafile.ts'
import { compile } from './evaluate.ts'
import { explain } from './explain.ts'

const delivery = (id: string, edit: Partial<Rule> = {}) =>
  ({
    id,
    type: 'TARGETED_DELIVERY',
    when: { all: [] },
    bucketBy: ['targetingKey'],
    hashVersion: 1,
    salt: id,
    traffic: 10_000,
    variation: 'on',
    ...edit,
  }) as Rule

const fileWith = (flag: Partial<Flag>): DataFile => ({
  schemaVersion: 1,
  revision: 1,
  environment: { id: 'e', key: 'production' },
  publishedAt: null,
  audiences: { dutch: { attribute: 'country', operator: 'equals', value: 'NL' } },
  exclusionGroups: { group: { salt: 'g', slots: [{ ruleId: 'mine', from: 0, to: 5000 }] } },
  flags: {
    flag: {
      id: 'f',
      type: 'BOOLEAN',
      enabled: true,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'off',
      rules: [],
      ...flag,
    },
  },
  events: {},
})

const user = { targetingKey: 'user-1', country: 'BE', plan: 'free' }
const first = (rule: Rule, context = user) => explain(fileWith({ rules: [rule] }), 'flag', context, 0).rules[0]

test('the explanation fills in omitted fields of a rule, and an omitted list of rules', () => {
  const least = { id: 'mine', type: 'TARGETED_DELIVERY', salt: 'mine', variation: 'on' } as const
  expect(first(least)).toEqual(first(delivery('mine')))
  const { flags, ...file } = fileWith({})
  const { rules: _none, ...flag } = flags.flag as Flag
  expect(explain({ ...file, flags: { flag } }, 'flag', user, 0)).toMatchObject({ reason: 'DEFAULT', rules: [] })
})

const nl: Condition = { attribute: 'country', operator: 'equals', value: 'NL' }
const free: Condition = { attribute: 'plan', operator: 'equals', value: 'free' }
const aged: Condition = { attribute: 'age', operator: 'greaterThan', value: 17 }

test.each<[string, Condition, object[]]>([
  ['a single test', nl, [{ ...nl, actual: 'BE', negated: false }]],
  ['the false children of all', { all: [free, nl] }, [{ ...nl, actual: 'BE', negated: false }]],
  [
    'every child of any',
    { any: [nl, aged] },
    [
      { ...nl, actual: 'BE', negated: false },
      { ...aged, actual: null, negated: false },
    ],
  ],
  ['a true condition under not', { not: { any: [nl, free] } }, [{ ...free, actual: 'free', negated: true }]],
  [
    'the conditions of an audience',
    { audience: 'dutch' },
    [{ ...nl, actual: 'BE', negated: false, audience: 'dutch' }],
  ],
  ['a segment', { all: [free, { segment: 's' }] }, [{ segment: 's', negated: false }]],
  ['none for an unknown audience', { audience: 'nobody' }, []],
])('the failed conditions are %s', (_what, when, failed) => {
  expect(first(delivery('r', { when }))).toMatchObject({ outcome: 'CONDITIONS_FAILED', variationKey: null, failed })
})

test.each<[string, Rule, object]>([
  ['a match', delivery('r'), { outcome: 'MATCHED', variationKey: 'on', unit: 'user-1', traffic: null, split: null }],
  ['an override', delivery('r', { overrides: { 'user-1': 'off' } }), { outcome: 'OVERRIDE', variationKey: 'off' }],
  [
    'too little traffic',
    delivery('r', { salt: 'rule-a', traffic: 0 }),
    { outcome: 'OUTSIDE_TRAFFIC', traffic: { bucket: expect.any(Number), allocation: 0 } },
  ],
  [
    'a missing unit',
    delivery('r', { bucketBy: ['company'], traffic: 5000 }),
    { outcome: 'UNIT_MISSING', unit: null, traffic: null },
  ],
  ['an unknown hash version', delivery('r', { hashVersion: 2 }), { outcome: 'UNKNOWN_HASH' }],
  ['a slot of a different rule', delivery('r', { group: 'group' }), { outcome: 'OUTSIDE_GROUP' }],
])('the outcome of a rule shows %s', (_what, rule, explained) =>
  expect(first(rule)).toMatchObject({ ruleId: 'r', ...explained }),
)

test('a split shows its bucket, and rules after the deciding one are explained too', () => {
  const halves = [
    { variation: 'off', end: 5000 },
    { variation: 'on', end: 10_000 },
  ]
  const split = { ...delivery('split'), type: 'AB_TEST', split: halves } as Rule
  const { reason, ruleId, rules } = explain(fileWith({ rules: [split, delivery('later')] }), 'flag', user, 0)
  expect([reason, ruleId]).toEqual(['SPLIT', 'split'])
  const drawn = rules[0]?.split?.bucket ?? -1
  expect(rules[0]?.variationKey).toBe(drawn < 5000 ? 'off' : 'on')
  expect(rules[1]).toMatchObject({ ruleId: 'later', outcome: 'MATCHED' })
})

test('the explanation of an unknown or malformed flag has no rules', () => {
  expect(explain(fileWith({}), 'unknown', user, 0)).toMatchObject({ errorCode: 'FLAG_NOT_FOUND', rules: [] })
  const broken = fileWith({ rules: [delivery('r', { when: {} as Condition })] })
  expect(explain(broken, 'flag', user, 0)).toMatchObject({ errorCode: 'PARSE_ERROR', rules: [] })
})

test.each([undefined, null, 0, [null], [delivery('r', { when: {} as Condition })]])(
  'a paused flag is DISABLED even with the rules %j',
  (rules) => {
    const paused = fileWith({ enabled: false, rules: rules as Rule[] })
    const { rules: explained, ...evaluation } = explain(paused, 'flag', user, 0)
    expect(evaluation).toEqual(compile(paused).evaluate('flag', user, 0))
    expect([evaluation.reason, explained]).toEqual(['DISABLED', []])
  },
)

const leaf = fc.constantFrom<Condition>(nl, free, aged, { audience: 'dutch' }, { audience: 'nobody' })
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('condition'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('condition'), { maxLength: 3 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}))
const users = fc.constantFrom('user-1', 'user-2', 'user-3')
const overrides = fc.option(
  users.map((id) => ({ [id]: 'on' })),
  { nil: undefined },
)
const rule = fc
  .record({
    when: condition,
    traffic: fc.constantFrom(0, 5000, 10_000),
    bucketBy: fc.constantFrom('targetingKey', 'company').map((name) => [name]),
    hashVersion: fc.constantFrom(1, 1, 1, 2),
    end: fc.option(fc.integer({ min: 1, max: 9999 })),
    group: fc.option(fc.constant('group'), { nil: undefined }),
    overrides,
  })
  .map(({ end, group, overrides, ...fields }) => {
    const more = { ...fields, ...(group && { group }), ...(overrides && { overrides }) }
    const split = [
      { variation: 'on', end: end ?? 0 },
      { variation: 'off', end: 10_000 },
    ]
    return end === null ? delivery('', more) : ({ ...delivery('', more), type: 'AB_TEST', split } as Rule)
  })
const flags = fc.record({ enabled: fc.boolean(), rules: fc.array(rule, { maxLength: 4 }), overrides })
const contexts = fc.record(
  {
    targetingKey: users,
    country: fc.constantFrom('NL', 'BE'),
    plan: fc.constant('free'),
    age: fc.nat(40),
    company: users,
  },
  { requiredKeys: [] },
)

test('the explanation agrees with evaluation: the first rule with a variation decides, unless an override applies', () => {
  fc.assert(
    fc.property(flags, contexts, ({ enabled, rules, overrides }, context) => {
      const numbered = rules.map((each, index) => ({ ...each, id: index === 0 ? 'mine' : `rule-${index}` }))
      const file = fileWith({ enabled, rules: numbered, ...(overrides && { overrides }) })
      const { rules: explained, ...evaluation } = explain(file, 'flag', context, 0)
      expect(evaluation).toEqual(compile(file).evaluate('flag', context, 0))
      const decides = explained.find(({ variationKey }) => variationKey !== null)
      for (const { outcome, variationKey } of explained)
        expect(variationKey !== null).toBe(outcome === 'MATCHED' || outcome === 'OVERRIDE')
      const before = !enabled || (evaluation.reason === 'OVERRIDE' && evaluation.ruleId === null)
      if (!before) expect(evaluation.ruleId).toBe(decides?.ruleId ?? null)
      if (!before && decides) expect(evaluation.variationKey).toBe(decides.variationKey)
      if (evaluation.reason === 'UNIT_MISSING')
        expect(explained.some(({ outcome }) => outcome === 'UNIT_MISSING')).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
