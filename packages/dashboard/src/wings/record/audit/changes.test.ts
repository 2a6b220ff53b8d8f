import { expect, it } from 'vitest'
import { changesOf, sentenceOf } from './changes.ts'

const names = new Map([['a1', 'Beta users']])
const sentence = (action: string, phrase: string, before: unknown, after: unknown, isOwn = false) =>
  sentenceOf({ action, phrase, isOwn }, changesOf(before, after, names))

const rule = { name: 'Beta', trafficAllocation: 2500, audienceIds: ['a1'] }

it.each([
  [
    'one field with its values',
    ['rule.update', 'changed the rule', rule, { ...rule, trafficAllocation: 5000 }],
    { verb: 'changed the share of the rule', values: 'from 25\u00a0% to 50\u00a0%' },
  ],
  [
    'two fields without their values',
    ['rule.update', 'changed the rule', rule, { ...rule, name: 'All', trafficAllocation: 5000 }],
    { verb: 'changed the name and share of the rule' },
  ],
  [
    'more than three fields',
    ['flag.update', 'changed the flag', { a: 1, b: 1, c: 1, d: 1 }, { a: 2, b: 2, c: 2, d: 2 }],
    { verb: 'changed the flag' },
  ],
  [
    'a field inside a field',
    ['organization.update', 'changed the organization', { rules: { mode: 'A' } }, { rules: { mode: 'B' } }],
    { verb: 'changed the rules of the organization' },
  ],
  [
    'a phrase without a noun',
    [
      'member.update',
      'changed the role or the projects of',
      { role: { id: '1', name: 'VIEWER' } },
      { role: { id: '2', name: 'EDITOR' } },
    ],
    { verb: 'changed the role of', values: 'from Viewer to Editor' },
  ],
  ['no edit', ['flag.create', 'created the flag', null, { name: 'A' }], { verb: 'created the flag' }],
  ['a sign-in', ['session.start', 'signed in as', null, null, true], { verb: 'signed in' }],
  [
    'an own account',
    ['user.update', 'changed the account of', { name: 'A' }, { name: 'B' }, true],
    { verb: 'changed their name', values: 'from A to B' },
  ],
  [
    'an own second factor',
    ['user.second_factor_enable', 'turned on the second factor of', null, null, true],
    { verb: 'turned on their second factor' },
  ],
  [
    'an own reset link',
    ['user.password_reset', 'used a reset link to change the password of', null, null, true],
    { verb: 'used a reset link to change their password' },
  ],
] as const)('the sentence of %s', (_what, [action, phrase, before, after, isOwn], expected) => {
  expect(sentence(action, phrase, before, after, isOwn)).toEqual(expected)
})

it('each field is one change, and words of a list are named together', () => {
  const condition = { attribute: 'country', operator: 'in', value: ['NL', 'BE'] }
  const changes = changesOf(
    { id: '1', scopes: ['a', 'b'], conditions: condition, gone: 'x' },
    { id: '2', scopes: ['b', 'c', 'd'], conditions: { all: [condition] }, fresh: 'y' },
    names,
  )
  expect(changes.map(({ path, words }) => [path, words])).toEqual([
    ['scopes', { subject: 'Scopes', does: 'c, d added; a removed' }],
    ['conditions', { subject: 'Conditions', from: 'country is NL or BE', to: 'country is NL or BE' }],
    ['gone', { subject: 'Gone', does: 'x removed' }],
    ['fresh', { subject: 'Fresh', to: 'y' }],
  ])
})
