import { expect, it } from 'vitest'
import { allOfWhere, conditionOf, inWords } from './conditions.ts'

it.each([
  ['country in NL,BE', { attribute: 'country', operator: 'in', value: ['NL', 'BE'] }],
  ['age in 18, 19', { attribute: 'age', operator: 'in', value: [18, 19] }],
  ['age greaterThan 18.5', { attribute: 'age', operator: 'greaterThan', value: 18.5 }],
  ['staff equals true', { attribute: 'staff', operator: 'equals', value: true }],
  ['zip equals "01234"', { attribute: 'zip', operator: 'equals', value: '01234' }],
  ['zip equals 01234', { attribute: 'zip', operator: 'equals', value: '01234' }],
  ['app.version semverLessThan 4.2', { attribute: 'app.version', operator: 'semverLessThan', value: '4.2' }],
  ['$now after 2026', { attribute: '$now', operator: 'after', value: '2026' }],
  ['title  contains  a b', { attribute: 'title', operator: 'contains', value: 'a b' }],
  ['email exists', { attribute: 'email', operator: 'exists' }],
  ['segment VIP customers', { segment: 'VIP customers' }],
  ['audience beta', { audience: 'beta' }],
  ['segment equals gold', { attribute: 'segment', operator: 'equals', value: 'gold' }],
])('%s', (text, condition) => expect(conditionOf(text)).toEqual(condition))

it.each([
  ['country', '"" is not an operator. Write ATTRIBUTE OPERATOR VALUE'],
  ['country eqauls NL', '"eqauls" is not an operator. Did you mean equals?'],
  ['country inn NL', '"inn" is not an operator. Did you mean in?'],
  ['country == NL', '"==" is not an operator. Did you mean equals?'],
  ['age >= 18', '">=" is not an operator. Did you mean greaterThanOrEquals?'],
  ['country is NL', '"is" is not an operator. Did you mean equals?'],
  ['country constructor NL', '"constructor" is not an operator.'],
  ['country in', 'in needs a value.'],
  ['account in 1,9007199254740993', '9007199254740993 would become 9007199254740992, because numbers are doubles.'],
  ['account equals 1e400', '1e400 would become Infinity'],
  ['email exists yes', 'exists takes no value.'],
])('svc refuses %s', (text, message) => expect(() => conditionOf(text)).toThrow(message))

it('several must all match', () => {
  expect(allOfWhere(['a exists'])).toEqual({ attribute: 'a', operator: 'exists' })
  expect(allOfWhere(['a exists', 'b equals c'])).toEqual({
    all: [
      { attribute: 'a', operator: 'exists' },
      { attribute: 'b', operator: 'equals', value: 'c' },
    ],
  })
})

it.each([
  [{ all: [] }, ''],
  [{ any: [] }, 'nobody'],
  [{ all: [{ attribute: 'c', operator: 'in', value: ['a', 'b'] }] }, 'c in a, b'],
  [
    { all: [{ segment: 's' }, { any: [{ audience: 'a' }, { not: { attribute: 'x', operator: 'exists' } }] }] },
    'segment S and (audience A or not (x exists))',
  ],
])('%j in words', (condition, words) => expect(inWords(condition, (id) => id.toUpperCase())).toBe(words))
