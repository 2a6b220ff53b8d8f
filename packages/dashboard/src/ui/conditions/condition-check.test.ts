import { expect, it } from 'vitest'
import { conditionFaults, refusedConditions, withoutEmptyRows } from './condition-check.ts'
import { withOperator } from './condition-values.ts'
import { type Condition, type Operator, operators } from './conditions.ts'

const empty: Condition = { attribute: '', operator: 'in', value: [] }
const blank: Condition = { attribute: ' ', operator: 'equals', value: '' }
const plan: Condition = { attribute: 'plan', operator: 'equals', value: 'beta' }
const half: Condition = { attribute: 'plan', operator: 'in', value: [] }

it.each<[string, Condition, Condition]>([
  ['an empty row', { all: [plan, empty, blank] }, { all: [plan] }],
  ['only empty rows', { all: [empty, blank] }, { all: [] }],
  ['a group of empty rows', { all: [plan, { any: [empty] }, { not: { all: [empty] } }] }, { all: [plan] }],
  ['an empty row of a group', { any: [plan, { all: [plan, empty] }] }, { any: [plan, { all: [plan] }] }],
  ['nothing of a row that is half filled', { all: [half] }, { all: [half] }],
  [
    'nothing of an operator without a value',
    { all: [{ attribute: '', operator: 'exists' }] },
    { all: [{ attribute: '', operator: 'exists' }] },
  ],
  ['not the last row of “any of”, which would leave everyone', { any: [empty] }, { any: [empty] }],
  ['no group that was empty before', { all: [{ any: [] }] }, { all: [{ any: [] }] }],
  [
    'no audience or segment',
    { all: [{ audience: 'a' }, { not: { segment: 's' } }] },
    { all: [{ audience: 'a' }, { not: { segment: 's' } }] },
  ],
])('the form leaves out %s', (_, given, expected) => {
  expect(withoutEmptyRows(given)).toEqual(expected)
})

it.each<[Condition, [string, string][]]>([
  [{ all: [plan] }, []],
  [{ all: [plan, { any: [half] }] }, [['all.1.any.0.value', 'Add at least one value.']]],
  [{ not: { attribute: '', operator: 'exists' } }, [['not.attribute', 'Enter an attribute, for example country.']]],
  [
    { any: [empty] },
    [
      ['any.0.attribute', 'Enter an attribute, for example country.'],
      ['any.0.value', 'Add at least one value.'],
    ],
  ],
  [{ all: [{ attribute: 'age', operator: 'lessThan', value: 'seven' }] }, [['all.0.value', 'Enter a number.']]],
  [{ all: [{ attribute: 'name', operator: 'equals', value: '' }] }, []],
])('%j has the faults %j', (tree, faults) => {
  expect(conditionFaults(tree).map(({ path, message }) => [path.join('.'), message])).toEqual(faults)
})

/** What the service answers for a field of conditions in a body. */
function refusal(path: (string | number)[], rule: string) {
  const place = ['conditions', ...path]
  const text = place.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return [{ path: place, message: `${text.slice(1)} ${rule}` }]
}

const scalar = 'a string of at most 1000 characters, a number or a boolean.'

it.each<[Operator, string, string]>([
  ['equals', `must be ${scalar}`, 'Enter a value of at most 1,000 characters.'],
  ['contains', 'must be a string of at most 1000 characters.', 'Enter a text of at most 1,000 characters.'],
  [
    'in',
    `must be a list with at least one item. Each item must be ${scalar}`,
    'Add at least one value. Each can have at most 1,000 characters.',
  ],
  ['lessThan', 'must be a number.', 'Enter a number.'],
  ['before', 'must be a date in ISO 8601 or milliseconds since 1970.', 'Choose a date and a time.'],
  ['semverEquals', 'must be a version such as 4.2.0.', 'Enter a version, for example 4.2.0.'],
  [
    'inCidr',
    'must be a network such as 10.0.0.0/8 or 2001:db8::/32, or a list of networks.',
    'Enter networks, for example 10.0.0.0/8 or 2001:db8::/32.',
  ],
  ['matches', 'must not repeat a group.', 'Must not repeat a group.'],
])('the form says in words what is refused of %s', (operator, rule, words) => {
  const wrong = withOperator({ attribute: 'a', operator: 'equals', value: 'x' }, operator)
  const tree: Condition = { all: [plan, { any: [wrong] }] }
  const path = ['all', 1, 'any', 0, 'value']
  expect(refusedConditions(refusal(path, rule), tree)).toEqual([{ path, message: words }])
})

it.each(Object.keys(operators) as Operator[])('the form shows no path in what is refused of %s', (operator) => {
  const tree = withOperator({ attribute: '', operator: 'equals', value: 'x' }, operator)
  for (const field of ['attribute', 'operator', 'value']) {
    const [refused] = refusedConditions(refusal([field], 'must be something else.'), tree)
    expect(refused!.message).toMatch(/^[A-Z][^[\]]*\.$/)
    expect(refused!.message).not.toContain('conditions')
  }
})

it('the form says what is wrong with the whole tree, and nothing of other fields', () => {
  const refused = [
    ...refusal([], 'must contain at most 100 conditions (got 101).'),
    { path: ['name'], message: 'name is required.' },
  ]
  expect(refusedConditions(refused, { all: [plan] })).toEqual([
    { path: [], message: 'Must contain at most 100 conditions (got 101).' },
  ])
})
