import { expect, test } from 'vitest'
import { itemBatches } from './item-batches.ts'

const items = (count: number, size = 0) =>
  Array.from({ length: count }, (_, n) => ({ itemId: `${n}`, description: 'a'.repeat(size) }))
const sizes = (content: unknown) =>
  itemBatches(content, 'items.json').map(({ upsert, delete: removed }) => [upsert.length, removed.length])

test.each<[string, unknown, number[][]]>([
  ['a list', items(3), [[3, 0]]],
  ['an object', { upsert: items(1), delete: ['a', 'b'] }, [[1, 2]]],
  ['only deletions', { delete: ['a'] }, [[0, 1]]],
  ['a thousand', items(1000), [[1000, 0]]],
  [
    'more',
    { upsert: items(1001), delete: items(1500).map(({ itemId }) => itemId) },
    [
      [1000, 0],
      [1, 999],
      [0, 501],
    ],
  ],
  [
    'long texts',
    items(4, 3 * 1024 * 1024),
    [
      [2, 0],
      [2, 0],
    ],
  ],
])('%s is sent in batches', (_what, content, expected) => expect(sizes(content)).toEqual(expected))

test.each([
  [[], 'no items'],
  [{}, 'no items'],
  ['items', 'must be a list'],
  [null, 'must be a list'],
  [{ upsert: 'a' }, 'lists'],
  [{ items: [] }, 'has items'],
])('%j is no batch: %s', (content, message) => expect(() => itemBatches(content, 'items.json')).toThrow(message))
