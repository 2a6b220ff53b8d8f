import { expect, it } from 'vitest'
import { fieldInWords, valueInWords } from './in-words.ts'

const names = new Map([['p1', 'Web shop']])

it.each([
  [['name'], 'Name'],
  [['createdAt'], 'Created at'],
  [['projectIds'], 'Projects'],
  [['notifications', 'keywords'], 'Notifications › keywords'],
  [['variations', 'newHome'], 'Variations › new home'],
  [['variations', 'new_home-2', 'value'], 'Variations › new_home-2 › value'],
  [['rules', 'p1', 'name'], 'Rules › Web shop › name'],
  [['rules', '0190aaaa-0000-7000-8000-0123456789ab'], 'Rules › …6789ab'],
  [[], 'Value'],
])('%j is called %s', (path, expected) => {
  expect(fieldInWords(path, names)).toBe(expected)
})

it.each([
  [null, ['name'], 'nothing'],
  [undefined, ['name'], 'nothing'],
  [null, ['projectIds'], 'all projects'],
  [null, ['expiresAt'], 'never'],
  ['', ['name'], 'empty'],
  ['on', ['key'], 'on'],
  ['p1', ['projectIds'], 'Web shop'],
  [['p1', 'p2'], ['projectIds'], 'Web shop, p2'],
  [[], ['scopes'], 'none'],
  [false, ['enabled'], 'no'],
  [5000, ['trafficAllocation'], '50\u00a0%'],
  [[{ variationKey: 'on', weight: 2500 }], ['variations'], 'on 25'],
  [['p1'], ['audienceIds'], 'Web shop'],
  [0, ['weight'], '0'],
  [{ id: '1', name: 'EDITOR' }, ['role'], 'Editor'],
  [{ id: '1', name: 'QA team' }, ['role'], 'QA team'],
  ['SIGN_UP', ['method'], 'sign-up'],
  ['OPENID_CONNECT', ['method'], 'OpenID Connect'],
  ['PASSWORD', ['method'], 'password'],
  ['INCREASE', ['direction'], 'increase'],
  ['FIXED_HORIZON', ['statistics', 'test'], 'fixed horizon'],
  ['BENJAMINI_HOCHBERG', ['statistics', 'correction'], 'Benjamini-Hochberg'],
  ['0190aaaa-0000-7000-8000-0123456789ab', ['ruleId'], '…6789ab'],
  ['SIGN_UP', ['key'], 'SIGN_UP'],
  ['FORM_SUBMIT', ['trigger', 'on'], 'form submit'],
  [{ a: [1] }, ['value'], '{"a":[1]}'],
  [[{ a: 1 }], ['list'], '[{"a":1}]'],
])('%j at %j is %s', (value, path, expected) => {
  expect(valueInWords(value, path, names)).toBe(expected)
})

it('the log shows a time in the reader’s time zone', () => {
  expect(valueInWords('2026-06-15T12:00:00.000Z', ['expiresAt'], names)).toMatch(/^1[456] Jun 2026 /)
})
