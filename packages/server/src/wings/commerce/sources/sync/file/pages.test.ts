import { expect, test } from 'vitest'
import { isEmptyPage, isPaged, pageAddress } from './pages.ts'

test.each([
  ['AUTO', 'https://shop.example/products.json', true],
  ['SHOPIFY_JSON', 'https://shop.example/collections/all/products.json?x=1', true],
  ['CSV', 'https://shop.example/products.json', false],
  ['AUTO', 'https://shop.example/products.json.gz', false],
  ['SHOPIFY_JSON', 'https://shop.example/export', false],
  ['AUTO', null, false],
] as const)('a %s at %s is paged: %s', (format, url, paged) => {
  expect(isPaged({ format, url })).toBe(paged)
})

test('the address of a page keeps what it has', () => {
  expect(pageAddress('https://shop.example/products.json?page=9&a=b', 2)).toBe(
    'https://shop.example/products.json?page=2&a=b&limit=250',
  )
})

test.each([
  ['{"products":[]}', true],
  [' { "products" : [ ] }', true],
  ['{"products":[{"id":1}]}', false],
  ['', false],
])('the page %s is empty: %s', (page, empty) => {
  expect(isEmptyPage(Buffer.from(page))).toBe(empty)
})
