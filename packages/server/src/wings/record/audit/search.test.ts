import { expect, test } from 'vitest'
import { searchWords } from './search.ts'

const id = '0198f2c6-7b1e-7c44-9a35-1d2f6c0b5e11'

test.each([
  ['', []],
  ['  ', []],
  ['Paused', [{ text: 'Paused', actions: ['flag.pause', 'rule.pause', 'experiment.pause'], isId: false }]],
  ['flag.run', [{ text: 'flag.run', actions: ['flag.run'], isId: false }]],
  ['one  one', [{ text: 'one', actions: [], isId: false }]],
  ['404', [{ text: '404', actions: [], isId: false }]],
  [id, [{ text: id, actions: [], isId: true }]],
])('%j is searched by word', (q, words) => {
  expect(searchWords(q)).toEqual(words)
})

test('several words are searched together', () => {
  expect(searchWords('olive paused').map(({ text }) => text)).toEqual(['olive', 'paused'])
})
