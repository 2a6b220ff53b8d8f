import { expect, test } from 'vitest'
import { attributesIn, byLine, type Preview, previewInWords, valuesInWords } from './preview-words.ts'

const item = (attributes = {}) => ({ attributes }) as Preview['items'][number]
const nothing: Preview = { rows: 0, items: [], values: [], orders: [], errors: [], fault: null }
const error = (isWarning: boolean) => ({ line: 2, itemId: null, code: 'cut', message: '', isWarning })

test.each<[Partial<Preview>, string]>([
  [{ rows: 0 }, 'The file has no rows.'],
  [{ rows: 1, items: [item()] }, '1 row gives 1 item, and nothing is wrong with it.'],
  [
    { rows: 5, items: [item(), item(), item()], errors: [error(false)] },
    '5 rows give 3 items, and 2 rows would be skipped.',
  ],
  [
    { rows: 100, items: Array.from({ length: 100 }, () => item()), errors: [error(true)] },
    'The first 100 rows give 100 items. 1 value could not be taken as it is.',
  ],
])('%#: what became of the rows', (preview, words) =>
  expect(previewInWords({ ...nothing, ...preview }, 'PRODUCTS')).toBe(words),
)

const said = (itemIds: string[]) => ({ itemIds }) as Preview['values'][number]
const order = {} as Preview['orders'][number]

test.each<[Preview, 'SUPPLEMENT' | 'ORDERS', string]>([
  [
    { ...nothing, rows: 3, values: [said(['A', 'B']), said(['B'])] },
    'SUPPLEMENT',
    '3 rows set fields of 2 items, and 1 row would be skipped.',
  ],
  [
    { ...nothing, rows: 1, values: [said(['A'])] },
    'SUPPLEMENT',
    '1 row sets fields of 1 item, and nothing is wrong with it.',
  ],
  [{ ...nothing, rows: 1, orders: [order] }, 'ORDERS', 'The order can be stored.'],
  [{ ...nothing, rows: 2, orders: [order, order] }, 'ORDERS', 'All of 2 orders can be stored.'],
  [{ ...nothing, rows: 100, orders: [order] }, 'ORDERS', '99 of the first 100 orders would be skipped.'],
  [nothing, 'ORDERS', 'The file has no orders.'],
])('%#: what became of a supplement or of orders', (preview, type, words) =>
  expect(previewInWords(preview, type)).toBe(words),
)

test('what a row says of its items leaves out what the feed decides', () => {
  const row = { line: 2, name: 'sku' as const, key: 'S', itemIds: ['A'], currency: 'EUR' }
  expect(valuesInWords({ ...row, cost: '7.50', stock: 0, labels: ['new', 'red'] })).toBe(
    'cost €7.50, stock 0, labels new, red',
  )
  expect([valuesInWords(row), valuesInWords({ ...row, salePrice: null })]).toEqual(['nothing', 'sale price none'])
})

test('columns that no field has taken are listed once', () =>
  expect(attributesIn({ items: [item({ colour: 'blue' }), item({ colour: 'red', size: 'M' })] })).toEqual([
    ...['colour', 'size'],
  ]))

test('faults of a row are told together', () => {
  const fault = { code: 'bad_url', isWarning: false }
  const errors = [
    { ...fault, line: 2, itemId: 'A', message: 'An item needs a link.' },
    { ...fault, line: 2, itemId: 'A', message: 'An item needs a title.' },
    { ...fault, line: 3, itemId: null, message: 'An item needs an id.' },
  ]
  expect(byLine(errors)).toEqual([
    { line: 2, itemId: 'A', messages: ['An item needs a link.', 'An item needs a title.'] },
    { line: 3, itemId: null, messages: ['An item needs an id.'] },
  ])
})
