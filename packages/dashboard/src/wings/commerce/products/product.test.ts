import { expect, test } from 'vitest'
import {
  chosenIn,
  facetNote,
  priceInWords,
  productQuery,
  productSearch,
  whyUnavailable,
  withChosen,
} from './product.ts'

test('an address has the filters that the service knows', () => {
  const search = { q: ' blue ', category: 'Clothing', brand: '', availability: 'SOON', env: 'production' }
  expect(productSearch(search)).toEqual({ q: 'blue', category: 'Clothing' })
  expect(productSearch({ q: 17, availability: 'PREORDER' })).toEqual({ q: '17', availability: 'PREORDER' })
  expect(productQuery({ q: '17', availability: 'PREORDER' })).toEqual({ q: '17', availability: 'PREORDER' })
})

test('chips are the filters without the words', () => {
  expect(chosenIn({ q: 'blue', brand: 'Acme' })).toEqual({ brand: ['Acme'] })
  expect(withChosen({ q: 'blue', brand: 'Acme' }, { category: ['Clothing'] })).toEqual({
    q: 'blue',
    category: 'Clothing',
  })
})

test.each([
  [{ hasMore: false, isWhole: true }, undefined],
  [{ hasMore: true, isWhole: true }, 'Type to find more brands.'],
  [{ hasMore: true, isWhole: false }, 'Type to find more brands. Counted among 200,000 items.'],
])('a facet says what it does not show: %j', (facet, note) =>
  expect(facetNote({ values: [], ...facet }, 'brand')).toBe(note),
)

const [before, now, after] = ['2026-11-26T00:00:00.000Z', '2026-11-27T00:00:00.000Z', '2026-11-28T00:00:00.000Z']

test.each([
  [null, null, null, '€19.99'],
  ['14.99', null, null, '€14.99, usually €19.99'],
  ['14.99', before, after, '€14.99, usually €19.99'],
  ['14.99', now, null, '€14.99, usually €19.99'],
  ['14.99', after, null, '€19.99'],
  ['0.00', null, null, '€19.99'],
  ['100.00', null, null, '€19.99'],
  ['14.99', null, now, '€19.99'],
])('with a sale price of %s from %s until %s, the price is %s', (salePrice, saleFrom, saleUntil, words) =>
  expect(priceInWords({ price: '19.99', salePrice, saleFrom, saleUntil, currency: 'EUR' }, new Date(now))).toBe(words),
)

test.each([
  ['IN_STOCK', 3, undefined],
  ['IN_STOCK', null, undefined],
  ['OUT_OF_STOCK', 0, 'stock is 0'],
  ['OUT_OF_STOCK', null, 'out of stock'],
  ['PREORDER', null, 'in advance'],
  ['BACKORDER', 0, 'later'],
] as const)('%s with a stock of %s: %s', (availability, stock, words) =>
  expect(whyUnavailable({ availability, stock })).toEqual(words && expect.stringContaining(words)),
)
