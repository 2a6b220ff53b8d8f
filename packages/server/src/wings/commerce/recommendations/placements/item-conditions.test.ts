import { expect, test } from 'vitest'
import { itemConditionIssues, requestConditionIssues } from './item-conditions.ts'

const size = { attribute: 'attributes.size', operator: 'equals', value: 'M' }
const texts = (issues: { path: PropertyKey[]; message: string }[]) =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test.each<[string, unknown, string[]]>([
  ['a field', { attribute: 'price', operator: 'lessThan', value: 20 }, []],
  ['an attribute', size, []],
  ['a tree', { all: [{ not: { any: [size] } }, { attribute: 'labels', operator: 'includesAny', value: ['x'] }] }, []],
  [
    'a field that is meant differently',
    { any: [size, { attribute: 'brands', operator: 'equals', value: 'Acme' }] },
    ['any.1.attribute: must be a field of an item. Did you mean brand?'],
  ],
  [
    'an attribute without its prefix',
    { attribute: 'colour', operator: 'equals', value: 'red' },
    ['attribute: must be a field of an item. Own fields are attributes.colour.'],
  ],
  [
    'an audience',
    { not: { audience: 'a' } },
    ['not.audience: must not be used: audiences are about visitors, and this is about items.'],
  ],
  ['a segment', { segment: 's' }, ['segment: must not be used: segments are about visitors, and this is about items.']],
  ['what is malformed', { attribute: 'price', operator: 'lessThan', value: 'x' }, ['value: must be a number.']],
])('conditions about items: %s', (_name, condition, issues) => {
  expect(texts(itemConditionIssues(condition))).toEqual(issues)
})

test('a request cannot ask for costs, stock or sources, and has no patterns and few conditions', () => {
  expect(requestConditionIssues(size)).toEqual([])
  for (const field of ['cost', 'stock', 'sourceId']) {
    const condition = { all: [size, { not: { attribute: field, operator: 'exists' } }] }
    expect(itemConditionIssues(condition)).toEqual([])
    expect(texts(requestConditionIssues(condition))).toEqual([
      `all.1.not.attribute: must not be ${field} in a request.`,
    ])
  }
  const pattern = { attribute: 'title', operator: 'notMatches', value: 'x' }
  expect(texts(requestConditionIssues(pattern))).toEqual(['operator: must not be matches or notMatches in a request.'])
  expect(requestConditionIssues({ all: Array(10).fill(size) })).toEqual([])
  expect(texts(requestConditionIssues({ all: Array(11).fill(size) }))).toEqual([
    ': must have at most 10 conditions (got 11).',
  ])
  const groups = (count: number) => ({ all: Array.from({ length: count - 1 }, () => ({ not: { any: [] } })) })
  expect(requestConditionIssues(groups(25))).toEqual([])
  expect(texts(requestConditionIssues(groups(26)))).toEqual([': must have at most 50 of all, any and not (got 51).'])
})
