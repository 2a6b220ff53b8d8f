import { operators } from '@svc/core'
import { expect, test } from 'vitest'
import { conditionIssues } from './conditions.ts'

const country = { attribute: 'country', operator: 'equals', value: 'NL' }
const deep = (levels: number): unknown => (levels === 0 ? country : { all: [deep(levels - 1)] })
const of = (operator: string, value?: unknown) => ({ attribute: 'a', operator, ...(value !== undefined && { value }) })

const accepted: Record<string, unknown[]> = {
  exists: [undefined],
  notExists: [undefined],
  equals: ['x', 1, true, ''],
  notEquals: ['x', 1, false],
  in: [['NL', 1, true]],
  notIn: [['NL']],
  contains: ['x'],
  notContains: ['x'],
  startsWith: ['x'],
  endsWith: ['x'],
  matches: ['^x+$'],
  notMatches: ['x|y'],
  greaterThan: [1, -0.5],
  greaterThanOrEquals: [1],
  lessThan: [1],
  lessThanOrEquals: [1],
  before: ['2026-11-20T10:00:00Z', 1_795_178_460_000],
  after: ['2026-11-20T10:00:00Z'],
  semverEquals: ['4.2.0'],
  semverNotEquals: ['4.2.0'],
  semverGreaterThan: ['4.2.0-rc.1'],
  semverGreaterThanOrEquals: ['4.2.0'],
  semverLessThan: ['4.2.0'],
  semverLessThanOrEquals: ['4.2.0'],
  includesAny: [['x']],
  includesAll: [['x', 1]],
  includesNone: [['x']],
  inCidr: ['10.0.0.0/8', ['2001:db8::/32', '192.168.0.0/16']],
}

test('the table below has every operator', () => {
  expect(Object.keys(operators).sort()).toEqual(Object.keys(accepted).sort())
})

test.each(Object.entries(accepted).flatMap(([operator, values]) => values.map((value) => [operator, value] as const)))(
  '%s accepts %j',
  (operator, value) => expect(conditionIssues(of(operator, value))).toEqual([]),
)

test.each([
  ['exists', 'x'],
  ['equals', undefined],
  ['equals', null],
  ['equals', ['x']],
  ['equals', 'x'.repeat(1001)],
  ['in', 'NL'],
  ['in', []],
  ['in', [['NL']]],
  ['contains', 1],
  ['matches', '('],
  ['matches', '(a+)+'],
  ['notMatches', '^.*foo.*bar'],
  ['greaterThan', '1'],
  ['before', 'tomorrow'],
  ['semverEquals', 'four'],
  ['semverEquals', 4],
  ['includesAny', []],
  ['inCidr', '10.0.0.0/33'],
  ['inCidr', []],
])('%s refuses %j', (operator, value) => {
  expect(conditionIssues(of(operator, value))).toMatchObject([{ path: ['value'] }])
})

test.each<[string, unknown]>([
  ['an empty all', { all: [] }],
  ['an empty any', { any: [] }],
  ['a tree', { all: [country, { any: [country, { not: country }] }] }],
  ['case-insensitive text', { ...country, caseSensitive: false }],
  ['spaces inside of an attribute and of a value', { attribute: 'home town', operator: 'equals', value: 'Den Haag' }],
  ['a space at the end of a part', of('startsWith', 'Den ')],
  ['a space at the end of a pattern', of('matches', '^Den ')],
  ['a dotted path', { ...country, attribute: 'app.version' }],
  ['five levels', deep(5)],
  ['twenty patterns', { all: Array.from({ length: 20 }, () => of('matches', '^a')) }],
  ['a hundred conditions', { all: Array.from({ length: 100 }, () => country) }],
  [
    'a thousand list values',
    of(
      'in',
      Array.from({ length: 1000 }, (_, index) => index),
    ),
  ],
])('%s is accepted', (_what, condition) => expect(conditionIssues(condition)).toEqual([]))

test.each<[string, unknown, PropertyKey[]]>([
  ['a list', [], []],
  ['null', null, []],
  ['a string', 'all', []],
  ['no kind', {}, []],
  ['two kinds', { all: [], any: [] }, []],
  ['an unknown field', { all: [], some: 1 }, ['some']],
  ['an unknown field of an attribute', { ...country, casesensitive: false }, ['casesensitive']],
  ['all that is not a list', { all: country }, ['all']],
  ['not that is not a condition', { not: [] }, ['not']],
  ['an audience that is not a string', { any: [{ audience: 7 }] }, ['any', 0, 'audience']],
  ['an empty attribute', { ...country, attribute: '' }, ['attribute']],
  ['an attribute that is too long', { ...country, attribute: 'x'.repeat(201) }, ['attribute']],
  ['a space after an attribute', { ...country, attribute: 'country ' }, ['attribute']],
  ['an invisible character before an attribute', { ...country, attribute: '\u200bcountry' }, ['attribute']],
  ['a space before a value', { ...country, value: ' NL' }, ['value']],
  ['a line break after a value', { ...country, operator: 'notEquals', value: 'NL\n' }, ['value']],
  ['a space after an item', of('in', ['NL', 'BE ']), ['value', 1]],
  ['an invisible character after an item', of('includesAny', ['x\u2060']), ['value', 0]],
  ['an unknown operator', { all: [{ ...country, operator: 'like' }] }, ['all', 0, 'operator']],
  ['an operator from the prototype', { ...country, operator: 'constructor' }, ['operator']],
  ['caseSensitive that is not a boolean', { ...country, caseSensitive: 'no' }, ['caseSensitive']],
  ['six levels', deep(6), ['all', 0, 'all', 0, 'all', 0, 'all', 0, 'all', 0]],
  ['21 patterns', { all: Array.from({ length: 21 }, () => of('matches', '^a')) }, []],
  ['101 conditions', { all: Array.from({ length: 101 }, () => country) }, []],
  ['1001 list values', { all: [of('in', listOf(1000)), of('in', listOf(1))] }, []],
])('%s is refused with its path', (_what, condition, path) => {
  expect(conditionIssues(condition)).toMatchObject([{ path }])
})

function listOf(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

test('all faults are reported together', () => {
  expect(conditionIssues({ all: [of('like'), { some: 1 }, of('contains', 7)] }).map(({ path }) => path)).toEqual([
    ['all', 0, 'operator'],
    ['all', 1],
    ['all', 2, 'value'],
  ])
})
