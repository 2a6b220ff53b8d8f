import { describe, expect, test } from 'vitest'
import { errorsCsv } from './errors-csv.ts'
import {
  acceptedInWords,
  byCode,
  figuresOf,
  guardInWords,
  ordersIn,
  ordersInWords,
  problemInWords,
  syncIn,
  syncInWords,
} from './sync-result.ts'

const none = { added: 0, changed: 0, removed: 0, unchanged: 0 }
const sync = (catalog: Partial<typeof none>, more = {}) => ({
  ...{ changed: true, rows: 10, rowsSkipped: 0, skipped: {}, warnings: {} },
  catalog: { revision: 3, ...none, ...catalog },
  ...more,
})

describe('what a sync has done', () => {
  test.each([
    [
      sync({ added: 12, changed: 3, removed: 1, unchanged: 605 }),
      '12 items added, 3 changed, 1 removed, and 605 unchanged.',
    ],
    [sync({ removed: 1 }), '1 item removed.'],
    [sync({ unchanged: 60 }, { changed: false }), 'Nothing has changed: 60 items as before.'],
    [sync({ unchanged: 1 }, { changed: false, rows: 0 }), 'The file is the one of the last sync: 1 item, no change.'],
  ])('is said in a sentence: %#', (result, words) => expect(syncInWords(result, 'SUCCEEDED')).toBe(words))

  test('is nothing if it is held', () => expect(syncInWords(sync({ added: 5 }), 'HELD')).toBe('Nothing went live.'))

  test('is known of jobs that bring items', () => {
    expect(syncIn({ kind: 'feed_sync', result: sync({}) as never })).toMatchObject({ rows: 10 })
    expect(syncIn({ kind: 'visitor_erasure', result: sync({}) as never })).toBeUndefined()
    expect(syncIn({ kind: 'feed_sync', result: null })).toBeUndefined()
  })
})

describe('what an import has done with orders', () => {
  const result = (orders: object, more = {}) => ({
    ...{ changed: true, rows: 10, rowsSkipped: 2, skipped: {}, warnings: {} },
    orders: { added: 0, changed: 0, unchanged: 0, ...orders },
    ...more,
  })

  test.each([
    [result({ added: 120, unchanged: 1 }), 'SUCCEEDED', '120 orders added and 1 unchanged.'],
    [result({ unchanged: 40 }, { changed: false }), 'SUCCEEDED', 'Nothing has changed: 40 orders as before.'],
    [
      result({}, { changed: false, rows: 0 }),
      'SUCCEEDED',
      'The file is the one of the last import, so no order has changed.',
    ],
    [result({}), 'HELD', 'No order was stored.'],
  ] as const)('is said in a sentence: %#', (result, status, words) => expect(ordersInWords(result, status)).toBe(words))

  test('is known of imports of orders, with its figures', () => {
    expect(ordersIn({ kind: 'order_import', result: result({}) as never })).toMatchObject({ rowsSkipped: 2 })
    expect(ordersIn({ kind: 'feed_sync', result: result({}) as never })).toBeUndefined()
    expect(figuresOf(result({ added: 3 }), false)).toEqual([
      ...[
        ['Added', 3],
        ['Changed', 0],
        ['Unchanged', 0],
        ['Rows skipped', 2],
      ],
    ])
    expect(figuresOf(result({}), true)).toEqual([['Rows skipped', 2]])
  })
})

test('what a held file would remove is a figure only if it is held for that', () => {
  const guard = (check: string) => ({ check, value: 0.5, limit: 0.2, count: 40, of: 80 })
  const removed = (guards: ReturnType<typeof guard>[]) =>
    figuresOf(sync({ added: 1 }, { guards }), true).find(([name]) => name === 'Removed')?.[1]
  expect([removed([guard('REMOVED_SHARE')]), removed([guard('SKIPPED_SHARE')])]).toEqual([40, undefined])
})

test.each([
  [
    { check: 'REMOVED_SHARE', value: 11_104 / 18_204, limit: 0.2, count: 11_104, of: 18_204 },
    '11,104 of 18,204 items would be removed: 61\u00a0%, and the limit is 20\u00a0%.',
    'remove up to 11,104 items',
  ],
  [
    { check: 'SKIPPED_SHARE', value: 101 / 1000, limit: 0.1, count: 101, of: 1000 },
    '101 of 1,000 rows would be skipped: 10.1\u00a0%, and the limit is 10\u00a0%.',
    'skip up to 101 rows',
  ],
  [
    { check: 'PRICE_SHIFT_SHARE', value: 1, limit: 0.2, count: 1, of: 1 },
    '1 of 1 item would get a price above double, below half or in a different currency: 100\u00a0%, and the limit is 20\u00a0%.',
    'move up to 1 price so far',
  ],
  [
    { check: 'MIN_ITEMS', value: 0, limit: 1, count: 0, of: 0 },
    'The file has 0 items, and there must be at least 1.',
    'go live with 0 items or more',
  ],
])('a limit is shown with both numbers: %#', (guard, words, accepted) => {
  expect(guardInWords(guard)).toBe(words)
  expect(acceptedInWords([guard])).toEqual([accepted])
})

test('problems have words, and the most frequent ones come first', () => {
  expect(byCode({ missing_id: 1, bad_price: 7, bad_url: 1 }).map(({ code }) => code)).toEqual([
    ...['bad_price', 'bad_url', 'missing_id'],
  ])
  expect(problemInWords('bad_price')).toMatch(/^no price/)
  expect(problemInWords('a_later_code')).toBe('a later code')
})

test('errors become a file for spreadsheets, in which nothing is a formula', () => {
  const file = errorsCsv([
    {
      line: 12,
      itemId: '=1+1',
      code: 'bad_price',
      message: 'Price "free" is no amount, so it is skipped.',
      isWarning: false,
    },
    { line: null, itemId: null, code: 'cut', message: 'The title was cut.', isWarning: true },
  ])
  expect(file).toBe(
    [
      '\ufeff"line","item","code","message","row"',
      '12,"\'=1+1","bad_price","Price ""free"" is no amount, so it is skipped.","skipped"',
      '"","","cut","The title was cut.","taken in part"',
      '',
    ].join('\r\n'),
  )
})
