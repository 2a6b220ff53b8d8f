import { oneName } from '@svc/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { apiDescription } from '../../../../scripts/api-description.ts'
import { readFile, wantedOf } from './file.ts'
import { textOf } from './file-text.ts'
import { flagEntry, type RuleBody, ruleBody, ruleEntry, usualStatistics, wantedFlag } from './flags.ts'
import { bodyOf, entryOf, type Fields, kindNames, kinds } from './objects.ts'

const problemOf = (text: string): string => {
  try {
    readFile('svc.yaml', text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const flag = (lines: string) => `version: 1
flags:
  a:
    name: A
    type: STRING
    variations: { one: { name: One, value: x }, two: { name: Two, value: y } }
    environments:
      production:
${lines}`

it.each([
  ['an alias that contains itself', 'version: 1\nflags: &a\n  a: *a'],
  ['an alias cycle of two', 'version: 1\nflags: &a\n  a: &b\n    b: *a\n    c: *b'],
  ['many levels of lists', `version: 1\nflags: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['many levels of maps', `version: 1\nflags: ${'{a: '.repeat(20_000)}1${'}'.repeat(20_000)}`],
])('%s is a sentence about the file', (_what, text) => {
  expect(problemOf(text)).toMatch(/^svc\.yaml/)
  expect(problemOf(text)).not.toMatch(/call stack/)
})

describe('a fault is named with its line and column:', () => {
  it.each([
    ['no map', '- 1', 'svc.yaml:1:1 The file must be an object, not a list.'],
    ['broken YAML', 'version: [', 'svc.yaml:1:11 Flow sequence in block collection must be sufficiently indented'],
    ['another version', 'version: 2', 'svc.yaml:1:1 version must be 1.'],
    ['no version', 'flags: {}', 'svc.yaml:1:1 The file must have version.'],
    ['an unknown section', 'version: 1\ngadgets: {}', 'svc.yaml:2:1 gadgets is not a field of the file.'],
    [
      'a field that is nearly one',
      'version: 1\nsegments:\n  vip: { name: A, descripton: B }',
      'svc.yaml:3:19 segments.vip.descripton is not a field of the file. Did you mean description?',
    ],
    ['a missing field', 'version: 1\nsegments:\n  vip: {}', 'svc.yaml:3:3 segments.vip must have name.'],
    ['a wrong share', 'version: 1\nholdouts: { h: { name: H, share: 5 } }', 'must be text, not a number.'],
    [
      'a share without sign',
      'version: 1\nholdouts: { h: { name: H, share: "5" } }',
      'must be a share such as 50%, not 5.',
    ],
    [
      'an unknown default',
      flag('        default: three'),
      'svc.yaml:9:9 flags.a.environments.production.default is three',
    ],
    [
      'an unknown variation',
      flag('        rules: [{ key: r, name: R, variation: three }]'),
      'svc.yaml:9:36 flags.a.environments.production.rules.0.variation',
    ],
    [
      'a flag without variations',
      'version: 1\nflags: { a: { name: A, type: STRING, variations: {} } }',
      'svc.yaml:2:38 flags.a.variations must have 2 to 4 entries, not 0.',
    ],
    [
      'a number that JSON lacks',
      'version: 1\nflags: { a: { name: A, type: NUMBER, variations: { one: { name: One, value: .inf } } } }',
      'svc.yaml:2:77 JSON does not allow the number .inf.',
    ],
    [
      'such a number within a value',
      'version: 1\nflags: { a: { name: A, type: JSON, variations: { one: { name: One, value: [.nan] } } } }',
      'svc.yaml:2:76 JSON does not allow the number .nan.',
    ],
    [
      'a number that a double cannot hold',
      'version: 1\nflags: { a: { name: A, type: NUMBER, variations: { one: { name: One, value: 9007199254740993 } } } }',
      'svc.yaml:2:77 The number 9007199254740993 would become 9007199254740992, because numbers are doubles.',
    ],
    [
      'such a number in a condition',
      flag(
        '        rules: [{ key: r, name: R, variation: one, conditions: { attribute: id, operator: equals, value: -9007199254740993 } }]',
      ),
      'The number -9007199254740993 would become -9007199254740992',
    ],
    [
      'one that is written with a point',
      'version: 1\nflags: { a: { name: A, type: NUMBER, variations: { one: { name: One, value: 9007199254740993.0 } } } }',
      'The number 9007199254740993.0 would become 9007199254740992',
    ],
    ['a rule without effect', flag('        rules: [{ key: r, name: R }]'), 'must have either variation or split.'],
    [
      'a space around bucketBy',
      flag('        rules: [{ key: r, name: R, variation: one, bucketBy: "company " }]'),
      'svc.yaml:9:52 flags.a.environments.production.rules.0.bucketBy ',
    ],
    [
      'the time as bucketBy',
      flag('        rules: [{ key: r, name: R, variation: one, bucketBy: $now }]'),
      'rules.0.bucketBy must not be $now.',
    ],
    [
      'a split that does not add up',
      flag('        rules: [{ key: r, name: R, split: { one: 50%, two: 40% } }]'),
      'must add up to 100%, not 90%.',
    ],
    [
      'a key twice',
      flag('        rules: [{ key: r, name: R, variation: one }, { key: r, name: S, variation: two }]'),
      'the key of an earlier rule.',
    ],
    [
      'an owned rule with a definition',
      flag('        rules: [{ key: r, experiment: 1, name: R }]'),
      'belongs to an experiment',
    ],
    [
      'a number in a STRING flag',
      'version: 1\nflags: { a: { name: A, type: STRING, variations: { o: { name: O, value: 1 }, p: { name: P, value: x } } } }',
      'must be a string in a STRING flag.',
    ],
    [
      'an operator that does not exist',
      flag(
        '        rules:\n          - { key: r, name: R, variation: one, conditions: { attribute: a, operator: is } }',
      ),
      'svc.yaml:10:76 flags.a.environments.production.rules.0.conditions.operator must be one of ',
    ],
    [
      'a value that does not fit, inside of a list',
      `version: 1
audiences:
  b:
    name: B
    conditions:
      all:
        - { attribute: plan, operator: in, value: [beta] }
        - not: { attribute: age, operator: greaterThan, value: old }`,
      'svc.yaml:8:57 audiences.b.conditions.all.1.not.value must be a number.',
    ],
    [
      'a condition that is none',
      'version: 1\naudiences: { b: { name: B, conditions: {} } }',
      'audiences.b.conditions must have exactly one of all, any, not, audience, segment and attribute.',
    ],
    [
      'an audience in an audience',
      'version: 1\naudiences: { b: { name: B, conditions: { any: [{ not: { audience: a } }] } } }',
      'svc.yaml:2:57 audiences.b.conditions.any.0.not.audience is not allowed in an audience',
    ],
    ['a tab', 'version: 1\nflags:\n\ta: {}', /^svc.yaml:3:1 Tabs are not allowed as indentation\.$/],
    ['two documents', 'version: 1\n---\nversion: 1', /^svc.yaml:2:1 A file can have only one document\.$/],
    ['a key that is a number', 'version: 1\nsegments:\n  010: { name: A }', 'svc.yaml:3:3 The key 010 is not text'],
    ['a key that is a long number', 'version: 1\nsegments:\n  9007199254740993: { name: A }', /is not text[^\n]*$/],
    ['a key that is null', 'version: 1\nsegments:\n  null: { name: A }', 'svc.yaml:3:3 The key null is not text'],
    ['a key that is a list', 'version: 1\nsegments:\n  [a]: { name: A }', 'svc.yaml:3:3 A key must be text.'],
  ])('%s', (_what, text, message) =>
    typeof message === 'string' ? expect(problemOf(text)).toContain(message) : expect(problemOf(text)).toMatch(message),
  )

  it.each(['1', 'true', 'on', 'no', '"010"', '2024-01-01'])('no fault: the key %s', (key) => {
    const variations = `{ ${key}: { name: A, value: 1 }, other: { name: B, value: 2 } }`
    expect(problemOf(`version: 1\nflags: { a: { name: A, type: NUMBER, variations: ${variations} } }`)).toBe('')
  })

  it('all faults are named together', () => {
    expect(problemOf('version: 1\nsegments:\n  a: {}\n  b: { name: 1 }').split('\n')).toHaveLength(2)
  })
})

it('names and ids are normalized like those of the service, so that they show no difference', () => {
  const text = flag(
    '        rules: [{ key: r, name: "Cafe\u0301", variation: one }]\n        overrides: { environment: { one: [" qa-2 "] } }',
  )
  const { environments } = readFile('svc.yaml', text.replace('name: One', 'name: "Cafe\u0301 "')).flags!.a!
  const { rules, overrides } = environments.production!
  expect(rules[0]!.name).toBe('Caf\u00e9')
  expect(readFile('svc.yaml', text.replace('name: A', 'name: "Cafe\u0301\u00a0  1"')).flags!.a!.body.name).toBe(
    'Caf\u00e9 1',
  )
  expect(overrides).toMatchObject({ environmentAllowlist: [{ variationKey: 'one', userIds: ['qa-2'] }] })
})

it('names have no spaces around them, as the service keeps them', () => {
  const text = flag('        rules: [{ key: r, name: " R", variation: one }]').replace('name: One', 'name: "One "')
  const { flags, objects } = readFile('svc.yaml', `${text}\nsegments: { vip: { name: " VIP " } }`)
  const { variations, environments } = flags!.a!
  expect([variations[0]!.name, environments.production!.rules[0]!.name]).toEqual(['One', 'R'])
  expect(objects.segments!.vip!.name).toBe('VIP')
})

it('keys that are numbers stay in their order', () => {
  const text = `version: 1
flags:
  size:
    name: Size
    type: JSON
    variations:
      "10": { name: Ten, value: { b: 1, "2": 2 } }
      large: { name: Large, value: 1 }
      2: { name: Two, value: 2 }
    environments:
      production:
        rules:
          - { key: test, name: Test, split: { large: 50%, "10": 30%, 2: 20% } }
`
  const { flags } = readFile('svc.yaml', text)
  const { variations, defaultVariationKey, environments } = flags!.size!
  expect(variations.map(({ key }) => key)).toEqual(['10', 'large', '2'])
  expect(variations[0]!.value).toBe('{"2":2,"b":1}')
  expect(defaultVariationKey).toBe('10')
  const shares = environments.production!.rules[0]!.variations as { variationKey: string }[]
  expect(shares.map(({ variationKey }) => variationKey)).toEqual(['large', '10', '2'])
  const entry = flagEntry(flags!.size!, () => undefined)
  const again = textOf({ version: 1, flags: { size: entry } }, 'http://svc.test')
  expect(readFile('svc.yaml', again).flags).toEqual(flags)
})

it('an omitted field has its default, and omitted environments, switches, salts and overrides are not managed', () => {
  const { flags, objects } = readFile(
    'svc.yaml',
    flag('        rules: [{ key: r, name: R, split: { one: 33.33%, two: 66.67% } }]'),
  )
  expect(objects).toEqual({})
  const { environments, defaultVariationKey } = flags!.a!
  const { enabled, overrides, rules } = environments.production!
  expect([defaultVariationKey, enabled, overrides]).toEqual(['one', undefined, undefined])
  expect(rules[0]).toMatchObject({
    type: 'AB_TEST',
    baselineVariationKey: 'one',
    trafficAllocation: 10_000,
    conditions: { all: [] },
  })
  expect(rules[0]).not.toHaveProperty('salt')
  expect(rules[0]!.variations).toEqual([
    { variationKey: 'one', weight: 3333 },
    { variationKey: 'two', weight: 6667 },
  ])
})

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const line = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
const name = line.map(oneName)
const id = line.map((text) => text.trim() || 'x')
const share = fc.integer({ min: 0, max: 10_000 })
const some = { name, key: word, description: fc.option(line) }
const ofRule = {
  ...some,
  enabled: fc.boolean(),
  audienceIds: fc.uniqueArray(word, { maxLength: 3 }),
  conditions: fc.constantFrom<Fields>(
    { all: [] },
    { any: [{ segment: 'vip' }, { not: { attribute: 'a', operator: 'in', value: ['NL', '1', 'yes', 'null'] } }] },
  ),
  bucketBy: fc.constantFrom('targetingKey', 'company.id'),
  trafficAllocation: share,
  salt: word,
}
const delivery = fc.record({
  type: fc.constant('TARGETED_DELIVERY'),
  ...ofRule,
  variationKey: fc.constant('one'),
  exposures: fc.boolean(),
})
const test_ = share.chain((weight) =>
  fc.record({
    type: fc.constant('AB_TEST'),
    ...ofRule,
    variations: fc.constant([
      { variationKey: 'one', weight },
      { variationKey: 'two', weight: 10_000 - weight },
    ]),
    baselineVariationKey: fc.constantFrom('one', 'two'),
    hypothesis: fc.option(line),
    metrics: fc.record({ primary: fc.array(word), secondary: fc.array(word), guardrails: fc.constant([]) }),
    statistics: fc.record({
      ...{
        test: fc.constantFrom('SEQUENTIAL', 'FIXED_HORIZON'),
        alpha: fc.constantFrom(0.05, 0.1),
        correction: fc.constant('HOLM'),
      },
      ...{
        cuped: fc.boolean(),
        conversionWindowHours: fc.option(fc.constant(48)),
        inProgressConversions: fc.constant('EXCLUDE'),
      },
      ...{
        plannedUnitsPerVariation: fc.option(fc.constant(100)),
        maxUnits: fc.constant(null),
        minRuntimeDays: fc.constant(7),
      },
      ...{ minUnits: fc.constant(100), minConversions: fc.constant(25) },
      autoPause: fc.record({ srm: fc.boolean(), traffic: fc.constant(false), guardrailMetric: fc.boolean() }),
    }),
    exclusionGroupId: fc.option(word),
    holdoutId: fc.option(word),
    sticky: fc.boolean(),
  }),
)
const lists = fc.dictionary(fc.constantFrom('one', 'two'), fc.array(id, { minLength: 1 }), {
  maxKeys: 2,
  noNullPrototype: true,
})

it('a rule that is written into a file and read again is the same rule', () => {
  fc.assert(
    fc.property(fc.oneof(delivery, test_), (rule) => {
      const body = rule as unknown as RuleBody
      const text = textOf({ rule: ruleEntry(body, undefined) }, 'https://flags.example.com')
      expect(ruleBody(parse(text).rule)).toEqual(body)
    }),
  )
})

it('a flag that is written into a file and read again is the same flag, and its text is the same', () => {
  const drafted = fc.record({
    enabled: fc.boolean(),
    defaultVariationKey: fc.constantFrom('one', 'two'),
    rules: fc.uniqueArray(fc.oneof(delivery, test_), { selector: ({ key }) => key, maxLength: 4 }),
    overrides: fc.record({
      environmentAllowlist: lists.map((record) =>
        Object.entries(record).map(([variationKey, userIds]) => ({ variationKey, userIds })),
      ),
      ruleAllowlists: fc.constant([]),
    }),
  })
  const json = fc.json({ maxDepth: 2 }).map((text) => JSON.stringify(JSON.parse(text)))
  fc.assert(
    fc.property(
      fc.record({ ...some, tags: fc.array(word), owner: word, permanent: fc.boolean() }),
      fc.constantFrom('JSON', 'STRING'),
      json,
      drafted,
      (fields, type, value, env) => {
        const { key: _key, ...body } = { ...fields, valueSchema: null }
        const variations = ['one', 'two'].map((key) => ({ key, name: `Name of ${key}`, value }))
        const wanted = { body, type, variations, defaultVariationKey: 'two', environments: { production: env } }
        const text = textOf({ version: 1, flags: { a: flagEntry(wanted as never, () => undefined) } }, '')
        const again = wantedOf(parse(text)).flags!.a!
        expect(again).toEqual(wanted)
        expect(textOf({ version: 1, flags: { a: flagEntry(again, () => undefined) } }, '')).toBe(text)
      },
    ),
  )
})

it.each(kindNames)('an entry of %s without defaults has the same body', (kind) => {
  const { fields } = kinds[kind]
  const filled = bodyOf(fields, {
    name: 'N',
    type: 'MEAN',
    event: 'e',
    share: '5.5%',
    color: '#000000',
    url: 'u',
    events: ['b', 'a'],
    conditions: { all: [] },
    denominator: { event: 'd' },
    trigger: { on: 'CLICK', selector: 'a' },
  })
  expect(bodyOf(fields, entryOf(fields, filled))).toEqual(filled)
})

describe('defaults that a file leaves out are those of the API:', async () => {
  // The document for users has them in words.
  const { schemas = {} } = (await apiDescription()).components!
  const defaultsOf = (name: string): Fields =>
    Object.fromEntries(
      Object.entries(schemas[name]!.properties!).flatMap(([field, { default: value, $ref }]) => {
        if ($ref) return [[field, defaultsOf($ref.split('/').at(-1)!)]]
        return value === undefined ? [] : [[field, value]]
      }),
    )

  it('of statistics', () => expect(usualStatistics).toEqual(defaultsOf('NewAbTestRuleStatistics')))

  it.each([
    ['metrics', 'CreateMetricBody'],
    ['segments', 'CreateSegmentBody'],
    ['audiences', 'CreateAudienceBody'],
    ['exclusionGroups', 'CreateExclusionGroupBody'],
    ['environments', 'CreateEnvironmentBody'],
  ] as const)('of %s', (kind, schema) => {
    const { later, fields } = kinds[kind]
    const ours = Object.entries(bodyOf(fields, {})).filter(([name]) => !(later as readonly string[]).includes(name))
    // A file that leaves out the protection of an environment leaves it as it is.
    const { copyFromEnvId: _copyFromEnvId, protected: _protected, ...theirs } = defaultsOf(schema)
    expect(Object.fromEntries(ours)).toEqual(theirs)
  })
})

it('the place of an experiment is kept', () => {
  const entry = { key: 'copy-test', experiment: 12 }
  expect(ruleEntry(ruleBody(entry), 12)).toEqual(entry)
  expect(
    wantedFlag({ name: 'A', type: 'BOOLEAN', variations: {}, environments: { production: { rules: [entry] } } })
      .environments.production!.rules,
  ).toEqual([{ key: 'copy-test', type: 'UNCHANGED' }])
})

it.each(['9007199254740994', '12345678901234567000', '1e21', '0x10', '0.12345678901234567890', '-007'])(
  'the number %s of a value is taken',
  (number) => {
    const value = `{ one: { name: One, value: ${number} }, two: { name: Two, value: 2 } }`
    expect(problemOf(`version: 1\nflags: { a: { name: A, type: NUMBER, variations: ${value} } }`)).toBe('')
  },
)
