import { expect, it } from 'vitest'
import { fieldInWords, valueInWords } from './in-words.ts'

it.each([
  [['name'], 'Name'],
  [['createdAt'], 'Created at'],
  [['projectIds'], 'Projects'],
  [['notifications', 'keywords'], 'Notifications › keywords'],
  [['variations', 'newHome'], 'Variations › new home'],
  [['variations', 'new_home-2', 'value'], 'Variations › new_home-2 › value'],
  [[], 'Value'],
])('%j is called %s', (path, expected) => {
  expect(fieldInWords(path)).toBe(expected)
})

const names = new Map([['p1', 'Web shop']])

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
  [false, ['enabled'], 'false'],
  [0, ['weight'], '0'],
  [{ id: '1', name: 'EDITOR' }, ['role'], 'EDITOR'],
  [{ a: [1] }, ['value'], '{"a":[1]}'],
  [[{ a: 1 }], ['list'], '[{"a":1}]'],
])('%j at %j is %s', (value, path, expected) => {
  expect(valueInWords(value, path, names)).toBe(expected)
})

it('a time is told in the reader’s zone', () => {
  expect(valueInWords('2026-06-15T12:00:00.000Z', ['expiresAt'], names)).toMatch(/^1[45] June 2026|^16 June 2026/)
})
