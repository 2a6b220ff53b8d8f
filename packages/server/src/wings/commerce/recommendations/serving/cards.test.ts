import { expect, test } from 'vitest'
import { lastUsed, lettersIn } from './cards.ts'

test('what was used last is kept, up to a number', () => {
  const kept = lastUsed<string>(3, 1_000)
  for (const key of ['a', 'b', 'c']) kept.set(key, key)
  expect(kept.get('a')).toBe('a')
  kept.set('d', 'd')
  expect([...kept.keys()]).toEqual(['c', 'a', 'd'])
  kept.delete('c')
  kept.delete('gone')
  expect([kept.get('c'), [...kept.keys()]]).toEqual([undefined, ['a', 'd']])
})

test('long texts leave room for fewer, whichever way they came and went', () => {
  const kept = lastUsed<{ text: string }>(100, 100)
  const put = (key: string, length: number) => kept.set(key, { text: 'x'.repeat(length - 8) })
  for (const key of ['a', 'b', 'c']) put(key, 40)
  expect([...kept.keys()]).toEqual(['b', 'c'])
  put('c', 10)
  put('d', 50)
  expect([...kept.keys()]).toEqual(['b', 'c', 'd'])
  kept.delete('b')
  put('e', 40)
  expect([...kept.keys()]).toEqual(['c', 'd', 'e'])
  put('huge', 101)
  expect([...kept.keys()]).toEqual([])
  put('f', 100)
  expect([...kept.keys()]).toEqual(['f'])
})

test.each([
  ['shirt', 5],
  [7, 8],
  [null, 8],
  [['ab', 'c'], 3],
  [{ title: 'shirt' }, 13],
  [{ doc: { labels: ['new'], aLongName: 1 } }, 8 + 8 + 3 + 9 + 8],
])('the texts of %j have %i characters', (value, letters) => expect(lettersIn(value)).toBe(letters))
