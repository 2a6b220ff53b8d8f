import { type AttributeCondition, type Condition, compile, compileCondition, type DataFile, operators } from '@svc/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateVisitors, valuesFor } from './generate.ts'

const rule = (when: Condition, more: object = {}) => ({
  id: 'r',
  type: 'TARGETED_DELIVERY' as const,
  salt: 's',
  variation: 'on',
  when,
  ...more,
})
const fileOf = (rules: ReturnType<typeof rule>[], audiences: Record<string, Condition> = {}): DataFile => ({
  schemaVersion: 1,
  revision: 0,
  environment: { id: '', key: '' },
  publishedAt: null,
  audiences,
  exclusionGroups: {},
  events: {},
  flags: {
    flag: {
      id: '1',
      type: 'BOOLEAN',
      enabled: true,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'off',
      rules,
    },
  },
})
const generate = (file: DataFile, more: { seed?: string; userIds?: string[]; count?: number } = {}) =>
  generateVisitors({ files: [file], userIds: [], seed: 'seed', count: 200, ...more })

/** How many of the generated visitors match the rule. */
function matching(when: Condition, audiences: Record<string, Condition> = {}): number {
  const file = fileOf([rule(when)], audiences)
  const { visitors, segments } = generate(file)
  const { evaluate } = compile({ ...file, segments })
  return visitors.filter((visitor) => evaluate('flag', visitor).value === true).length
}

const conditions: { [Operator in keyof typeof operators]: Omit<AttributeCondition, 'attribute' | 'operator'>[] } = {
  exists: [{}],
  notExists: [{}],
  equals: [{ value: 'pro' }, { value: 7 }, { value: true }, { value: 'Pro', caseSensitive: false }],
  notEquals: [{ value: 'pro' }, { value: false }],
  in: [{ value: ['NL', 'BE'] }, { value: [1, 2] }],
  notIn: [{ value: ['NL', 'BE'] }],
  contains: [{ value: '@example.com' }],
  notContains: [{ value: '@example.com' }],
  startsWith: [{ value: 'staff' }],
  endsWith: [{ value: '.nl' }],
  matches: [{ value: '^staff-.*@example\\.com$' }, { value: '^v\\d+$' }, { value: 'beta' }],
  notMatches: [{ value: '^beta$' }],
  greaterThan: [{ value: 18 }, { value: -0.5 }],
  greaterThanOrEquals: [{ value: 18 }],
  lessThan: [{ value: 18 }],
  lessThanOrEquals: [{ value: 18 }],
  before: [{ value: '2026-12-01T00:00:00Z' }, { value: '2026-12-01' }],
  after: [{ value: '2026-12-01T09:00:00+01:00' }],
  semverEquals: [{ value: '2.4.0' }, { value: 'v3' }],
  semverNotEquals: [{ value: '2.4.0' }],
  semverGreaterThan: [{ value: '2.4.0' }, { value: '2.4.0-beta.1' }],
  semverGreaterThanOrEquals: [{ value: '2.4.0' }, { value: '2.4.0-beta.1' }],
  semverLessThan: [{ value: '2.4.0' }, { value: '2.4.0-beta.1' }],
  semverLessThanOrEquals: [{ value: '2.4.0' }],
  includesAny: [{ value: ['a', 'b'] }],
  includesAll: [{ value: ['a', 'b'] }],
  includesNone: [{ value: ['a', 'b'] }],
  inCidr: [{ value: '10.0.0.0/8' }, { value: ['10.1.0.0/16', '2001:db8:1::/48'] }],
}
const each = Object.entries(conditions).flatMap(([operator, values]) =>
  values.map((value) => ({ attribute: 'a', operator, ...value }) as AttributeCondition),
)

test('every operator is covered', () => expect(Object.keys(conditions)).toEqual(Object.keys(operators)))

describe('the values for a condition', () => {
  test.each(each)('$operator $value lie on both sides of its border', (condition) => {
    const holds = compileCondition(condition)
    const results = [...valuesFor(condition).map((a) => holds({ a })), holds({})]
    expect(new Set(results)).toEqual(new Set([true, false]))
  })

  test.each([
    ['a number', 'greaterThan', 18, [17, 18, 19]],
    [
      'a date',
      'before',
      '2026-12-01',
      ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.001Z'],
    ],
    ['a version', 'semverLessThan', '2.4', ['2.4', '2.5', '2.4-0']],
    ['a prerelease', 'semverLessThan', '2.4.0-beta', ['2.4.0-beta', '2.4.1', '0.0.0-0']],
    ['a list', 'in', ['NL', 'BE'], ['NL', 'BE', 'NL-other']],
    ['lists', 'includesAny', ['a', 'b'], [[], ['other'], ['a', 'b'], ['a'], ['b']]],
  ] as const)('of %s are equal, above and below, or inside and outside', (_what, operator, value, expected) => {
    expect(valuesFor({ attribute: 'a', operator, value: value as never })).toEqual(expected)
  })

  test('of any value a condition can have are values of JSON', () => {
    const anyValue = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.array(fc.oneof(fc.string(), fc.integer())))
    const operator = fc.constantFrom(...(Object.keys(operators) as (keyof typeof operators)[]))
    fc.assert(
      fc.property(operator, anyValue, fc.boolean(), (operator, value, caseSensitive) => {
        const values = valuesFor({ attribute: 'a', operator, value, caseSensitive })
        for (const each of values) expect(JSON.stringify(each)).toBeTypeOf('string')
      }),
    )
  })
})

describe('generated visitors', () => {
  test.each(each)('some meet $operator $value and some do not', (condition) => {
    const count = matching(condition)
    expect(count).toBeGreaterThanOrEqual(50)
    expect(count).toBeLessThan(200)
  })

  const deep: Condition = {
    all: [
      { audience: 'beta' },
      { any: [{ segment: 's1' }, { attribute: 'user.plan', operator: 'equals', value: 'pro' }] },
      { not: { any: [{ segment: 's2' }, { attribute: 'age', operator: 'lessThan', value: 18 }] } },
      { attribute: 'a', operator: 'equals', value: 1 },
      { attribute: 'b', operator: 'equals', value: 1 },
      { attribute: 'c', operator: 'equals', value: 1 },
      { attribute: 'd', operator: 'equals', value: 1 },
    ],
  }
  const audiences = { beta: { attribute: 'beta', operator: 'equals' as const, value: true } }

  test('half meet a rule with many conditions, audiences and segments', () => {
    expect(matching(deep, audiences)).toBeGreaterThanOrEqual(100)
  })

  test('are the same for the same seed, and others for another seed', () => {
    const file = fileOf([rule(deep)], audiences)
    expect(generate(file)).toEqual(generate(file))
    expect(generate(file, { seed: 'other' })).not.toEqual(generate(file))
  })

  test('have targeting keys of their own, at first those that overrides and conditions name', () => {
    const when: Condition = { attribute: 'targetingKey', operator: 'in', value: ['u-1', 'u-2'] }
    const { visitors } = generate(fileOf([rule(when)]), { userIds: ['u-17'], count: 6 })
    const keys = visitors.map(({ targetingKey }) => targetingKey)
    expect(keys).toEqual(['u-17', 'u-1', 'u-2', 'u-1-other', 'visitor-5', 'visitor-6'])
    expect(generate(fileOf([]), { userIds: ['a', 'b', 'c'], count: 2 }).visitors).toHaveLength(2)
  })

  test('have a value for each attribute that rules bucket by', () => {
    const { visitors } = generate(fileOf([rule({ all: [] }, { bucketBy: ['targetingKey', 'company'] })]), { count: 2 })
    expect(visitors).toEqual([
      { targetingKey: 'visitor-1', company: 'company-1' },
      { targetingKey: 'visitor-2', company: 'company-2' },
    ])
  })

  test('can be made from hostile names and from conditions that no value meets', () => {
    const hostile: Condition[] = [
      { attribute: '__proto__', operator: 'equals', value: 'x' },
      { attribute: '$now', operator: 'after', value: '2026-12-01' },
      { attribute: 'a', operator: 'before', value: 'never' },
      { attribute: 'a', operator: 'matches', value: '(' },
      { audience: 'unknown' },
      { any: [] },
      { not: { all: [] } },
    ]
    const { visitors } = generate(fileOf(hostile.map((when) => rule(when))))
    expect(visitors).toHaveLength(200)
    expect(visitors.some((visitor) => Object.hasOwn(visitor, '__proto__'))).toBe(true)
    expect(Object.getPrototypeOf(visitors[0])).toBe(Object.prototype)
  })
})
