import { expect, test } from 'vitest'
import { choicesOf, isChosen, nameOfChoice } from './flag-choices.ts'

const flags = [
  { key: 'one-page', name: 'One-page checkout' },
  { key: 'checkout', name: 'Checkout' },
  { key: 'search', name: 'New search' },
]
const shown = (typed: string, mayCreate = true) =>
  choicesOf(flags, typed, mayCreate).map((choice) => (choice.is === 'flag' ? choice.key : `new: ${choice.name}`))

test.each<[string, string[]]>([
  ['', ['one-page', 'checkout', 'search']],
  ['check', ['checkout', 'one-page', 'new: check']],
  ['page one', ['one-page', 'new: page one']],
  [' CHECKOUT ', ['checkout', 'one-page']],
  ['Shorter form', ['new: Shorter form']],
])('typing %j offers %j', (typed, expected) => expect(shown(typed)).toEqual(expected))

test('nothing is created by people who may not, and at most eight flags are offered', () => {
  expect(shown('Shorter form', false)).toEqual([])
  const many = Array.from({ length: 40 }, (_, at) => ({ key: `f-${at}`, name: `Flag ${at}` }))
  expect(choicesOf(many, 'flag', false)).toHaveLength(8)
})

test('a chosen flag is shown with its key, also before the list is there', () => {
  expect([nameOfChoice(flags, 'search'), nameOfChoice([], 'search'), nameOfChoice(flags, '')]).toEqual([
    'New search (search)',
    'search',
    '',
  ])
  expect([isChosen('New search (search)', flags, 'search'), isChosen('', flags, '')]).toEqual([true, false])
})
