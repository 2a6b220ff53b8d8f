import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  asType,
  isoOf,
  listIn,
  localInput,
  numberIn,
  typedNumber,
  valueFault,
  withOperator,
} from './condition-values.ts'
import { conditionSentence } from './condition-words.ts'
import {
  type AttributeCondition,
  type Condition,
  depthOf,
  isCondition,
  type Operator,
  operators,
  withNode,
} from './conditions.ts'

const names = { audiences: new Map([['au', 'Beta users']]), segments: new Map([['se', 'Staff']]) }
const country: Condition = { attribute: 'country', operator: 'in', value: ['NL', 'BE', 'LU'] }
const plan: Condition = { attribute: 'plan', operator: 'equals', value: 'beta' }

describe('operators', () => {
  it('are those of the evaluation', () => {
    const source = readFileSync(join(import.meta.dirname, '../../../../core/src/conditions/operators.ts'), 'utf8')
    const table = source.slice(source.indexOf('export const operators'), source.indexOf('} as const'))
    const known = [...table.matchAll(/^ {2}(\w+): '/gm)].map(([, name]) => name!)
    expect(known.length).toBeGreaterThan(20)
    expect(Object.keys(operators).sort()).toEqual(known.sort())
  })
})

describe('a sentence', () => {
  it.each<[Condition, string]>([
    [{ all: [] }, 'everyone'],
    [{ any: [] }, 'nobody'],
    [country, 'country is NL, BE or LU'],
    [{ attribute: 'country', operator: 'in', value: ['NL'] }, 'country is NL'],
    [{ attribute: 'country', operator: 'notIn', value: ['NL', 'BE'] }, 'country is not NL or BE'],
    [
      { attribute: 'id', operator: 'in', value: Array.from({ length: 1204 }, (_, at) => `u-${at}`) },
      'id is one of 1,204 values: u-0, u-1, …',
    ],
    [{ all: [{ audience: 'au' }, country] }, 'in Beta users and country is NL, BE or LU'],
    [
      { any: [{ all: [plan, country] }, { segment: 'se' }] },
      '(plan is beta and country is NL, BE or LU) or in the segment Staff',
    ],
    [{ all: [{ any: [plan] }] }, 'plan is beta'],
    [{ not: { audience: 'au' } }, 'not in Beta users'],
    [{ not: { all: [plan, country] } }, 'not (plan is beta and country is NL, BE or LU)'],
    [{ audience: 'gone' }, 'in an unknown audience'],
    [{ segment: 'gone' }, 'in an unknown segment'],
    [{ attribute: 'plan', operator: 'exists' }, 'plan is set'],
    [{ attribute: 'age', operator: 'greaterThanOrEquals', value: 18 }, 'age is at least 18'],
    [
      { attribute: 'app.version', operator: 'semverGreaterThanOrEquals', value: '4.2.0' },
      'app.version is at least version 4.2.0',
    ],
    [
      { attribute: '$now', operator: 'after', value: '2026-12-01T09:00:00.000Z' },
      'the time is after 1 Dec 2026 09:00 UTC',
    ],
    [{ attribute: '$now', operator: 'before', value: 1_796_116_200_000 }, 'the time is before 1 Dec 2026 09:10 UTC'],
    [
      { attribute: 'email', operator: 'endsWith', value: '@example.com', caseSensitive: false },
      'email ends with @example.com (in any case)',
    ],
    [{ attribute: 'tags', operator: 'includesAll', value: ['a', 'b'] }, 'tags includes all of a and b'],
    [{ attribute: 'ip', operator: 'inCidr', value: '10.0.0.0/8' }, 'ip is in the network 10.0.0.0/8'],
    [{ attribute: 'paid', operator: 'equals', value: false }, 'paid is false'],
    [{ attribute: 'name', operator: 'equals', value: '' }, 'name is (empty)'],
  ])('%#', (condition, expected) => {
    expect(conditionSentence(condition, names)).toBe(expected)
  })

  it.each<[Condition, string]>([
    [{ audience: 'au' }, 'in an audience'],
    [{ not: { segment: 'se' } }, 'not in a segment'],
  ])('calls nothing unknown while names load: %#', (condition, expected) => {
    expect(conditionSentence(condition)).toBe(expected)
  })

  it.each(Object.keys(operators) as Operator[])('has words for %s', (operator) => {
    const sentence = conditionSentence(withOperator({ attribute: 'x', operator: 'equals', value: '7' }, operator))
    expect(sentence).toMatch(/^x (is|is|does|contains|starts|ends|matches|includes)/)
  })
})

describe('an edit', () => {
  const tree: Condition = { all: [plan, { not: { any: [country, { audience: 'au' }] } }] }

  it.each<[string, Condition, Condition]>([
    [
      'replaces a node',
      withNode(tree, ['all', 0], country),
      { all: [country, { not: { any: [country, { audience: 'au' }] } }] },
    ],
    [
      'replaces a node far below',
      withNode(tree, ['all', 1, 'not', 'any', 1], plan),
      { all: [plan, { not: { any: [country, plan] } }] },
    ],
    [
      'removes a node',
      withNode(tree, ['all', 0], undefined),
      { all: [{ not: { any: [country, { audience: 'au' }] } }] },
    ],
    [
      'removes a node far below',
      withNode(tree, ['all', 1, 'not', 'any', 0], undefined),
      { all: [plan, { not: { any: [{ audience: 'au' }] } }] },
    ],
    ['replaces everything', withNode(tree, [], plan), plan],
    ['ignores a path that does not exist', withNode(tree, ['any', 0], plan), tree],
  ])('%s', (_, given, expected) => {
    expect(given).toEqual(expected)
  })

  it('knows how deep a path is', () => {
    expect(depthOf([])).toBe(0)
    expect(depthOf(['all', 1, 'not', 'any', 1])).toBe(3)
  })
})

describe('the value', () => {
  const condition = (value: AttributeCondition['value']): AttributeCondition => ({
    attribute: 'x',
    operator: 'equals',
    value: value!,
  })

  it.each<[AttributeCondition['value'], Operator, unknown]>([
    ['NL', 'in', ['NL']],
    ['NL, BE', 'in', ['NL', 'BE']],
    [['NL'], 'equals', 'NL'],
    [['NL', 'BE'], 'contains', 'NL, BE'],
    [['NL', 'BE'], 'notIn', ['NL', 'BE']],
    ['7', 'greaterThan', 7],
    ['seven', 'greaterThan', 'seven'],
    [7, 'contains', '7'],
    [7, 'equals', 7],
    ['NL', 'exists', undefined],
    ['', 'in', []],
  ])('%j becomes for %s %j', (value, operator, expected) => {
    expect(withOperator(condition(value), operator).value).toEqual(expected)
  })

  it('keeps the case only where letters count', () => {
    const folded: AttributeCondition = { attribute: 'x', operator: 'equals', value: 'a', caseSensitive: false }
    expect(withOperator(folded, 'contains').caseSensitive).toBe(false)
    expect(withOperator(folded, 'greaterThan')).not.toHaveProperty('caseSensitive')
  })

  it.each<[AttributeCondition, string | undefined]>([
    [{ attribute: 'x', operator: 'in', value: [] }, 'Add at least one value.'],
    [{ attribute: 'x', operator: 'inCidr', value: [] }, 'Add at least one network.'],
    [{ attribute: 'x', operator: 'lessThan', value: 'seven' }, 'Enter a number.'],
    [{ attribute: 'x', operator: 'before', value: '' }, 'Choose a date and a time.'],
    [{ attribute: 'x', operator: 'before', value: 1_796_000_000_000 }, undefined],
    [{ attribute: 'x', operator: 'equals', value: '' }, 'Enter a value.'],
    [{ attribute: 'x', operator: 'equals', value: false }, undefined],
    [{ attribute: 'x', operator: 'exists' }, undefined],
  ])('%j has the fault %j', (given, expected) => {
    expect(valueFault(given)).toBe(expected)
  })

  it('comes from pasted lists, numbers and dates', () => {
    expect(listIn(' NL, BE\nLU;\tNL ')).toEqual(['NL', 'BE', 'LU'])
    expect([numberIn('1.50'), numberIn('1x'), numberIn('')]).toEqual([1.5, '1x', ''])
    expect([typedNumber('18'), typedNumber('1.'), typedNumber('1.0'), typedNumber('x')]).toEqual([18, '1.', '1.0', 'x'])
    expect([asType('7', 'number'), asType(7, 'text'), asType('true', 'yes-no')]).toEqual([7, '7', true])
    const at = '2026-12-01T09:30:00.000Z'
    expect(isoOf(localInput(at))).toBe(at)
    expect(localInput('soon')).toBe('')
  })
})

it.each<[unknown, boolean]>([
  [{ all: [plan, { not: country }] }, true],
  [{ segment: 'se' }, true],
  [{ attribute: 'x', operator: 'sounds-like', value: 1 }, false],
  [{ all: 'x' }, false],
  [[], false],
  [null, false],
])('%j is a tree of conditions: %s', (given, expected) => {
  expect(isCondition(given)).toBe(expected)
})
