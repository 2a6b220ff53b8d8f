import { describe, expect, test } from 'vitest'
import { formatOf } from './format.ts'
import { mapRow } from './map-row.ts'

const mapOf = (fields: Record<string, unknown>, more: { mapping?: object; defaultCurrency?: string } = {}) =>
  mapRow(fields, { format: 'CSV', mapping: {}, defaultCurrency: null, origin: null, ...more })
const raw = (fields: Record<string, unknown>, mapping = {}) => mapOf(fields, { mapping }).raw

describe('a column', () => {
  test.each([
    ['itemId', 'itemId'],
    ['ITEM_ID', 'itemId'],
    ['item id', 'itemId'],
    ['g:id', 'itemId'],
    ['Item Group ID', 'productId'],
    ['group_id', 'productId'],
    ['image-link', 'imageLink'],
    ['image_url', 'imageLink'],
    ['Title', 'title'],
    ['cost of goods sold', 'cost'],
  ])('%s is %s', (name, field) => expect(raw({ [name]: 'x' })[field]).toBe('x'))

  test('that nobody knows is an attribute under its own name', () => {
    expect(
      raw({ 'g:Color': 'blue', 'My Size': ['M', 'L'], ratings: { stars: 4 }, seller_name: 'x', __proto__: 'y' }),
    ).toEqual({
      attributes: { Color: 'blue', 'My Size': 'M, L', ratings: '{"stars":4}' },
    })
    expect(raw({ attributes: { color: 'blue' }, size: 'M' }).attributes).toEqual({ color: 'blue', size: 'M' })
  })

  test('can be chosen for a field, which then reads no other', () => {
    const fields = { id: 'a', sku: 'b', wholesale_price: '7.50', cost_of_goods_sold: '9.00 EUR', price: '15 EUR' }
    const mapped = raw(fields, { cost: 'Wholesale Price', sku: 'id' })
    expect(mapped).toEqual({ itemId: 'a', sku: 'a', cost: '7.50', price: '15', currency: 'EUR', attributes: {} })
  })
})

describe('a column that comes twice', () => {
  const message = 'Has several values, of which only the first counts.'
  test.each([
    ['two prices', { price: ['15', '12'] }, { price: '15' }, [{ field: 'price', code: 'left_out', message }]],
    ['two titles', { title: ['A', 'B'] }, { title: 'A' }, [{ field: 'title', code: 'left_out', message }]],
    ['the same value', { brand: ['A', 'A'] }, { brand: 'A' }, []],
    ['a list', { labels: ['new', 'sale'] }, { labels: ['new', 'sale'] }, []],
    ['an attribute', { color: ['blue', 'red'] }, { attributes: { color: 'blue, red' } }, []],
  ])('%s: only the first of different values counts, with a warning', (_what, fields, expected, warnings) => {
    const mapped = mapOf(fields)
    expect(mapped.raw).toMatchObject(expected)
    expect(mapped.warnings).toEqual(warnings)
  })
})

describe('an amount', () => {
  test.each([
    ['15.00 USD', '15.00', 'USD'],
    ['USD 15.00', '15.00', 'USD'],
    ['15.00usd', '15.00', 'USD'],
    ['15.00', '15.00', undefined],
    [15, '15', undefined],
    ['15,5 EUR', '15.5', 'EUR'],
    ['1,299.00 USD', '1299.00', 'USD'],
    ['1.299,00 EUR', '1299.00', 'EUR'],
    ['USD 15 EUR', 'USD 15 EUR', undefined],
    ['$15', '$15', undefined],
    ['free', 'free', undefined],
    [1e21, 1e21, undefined],
  ])('%j is %s %s', (price, amount, currency) => {
    const mapped = raw({ price })
    expect([mapped.price, mapped.currency]).toEqual([amount, currency])
  })

  const written = (text: string, one: string, other: string) =>
    `Must be written as ${one} or ${other}, because ${text} can mean both.`
  test.each([
    ['a point', { price: '1.299 EUR' }, null, ['price', written('1.299', '1299.00', '1.2990')]],
    ['a comma', { price: '1,299' }, null, ['price', written('1,299', '1299.00', '1.2990')]],
    ['three digits before it', { price: '999', cost: '199.500' }, 'EUR', null],
    [
      'a cost below a price of thousands',
      { price: '1999', cost: '1.500' },
      'EUR',
      ['cost', written('1.500', '1500.00', '1.5000')],
    ],
    ['a cost that thousands would put above the price', { price: '19.99', cost: '7.505' }, 'EUR', null],
    ['a cost without a price', { cost: '7.505' }, null, ['cost', written('7.505', '7505.00', '7.5050')]],
    ['a currency with three decimals', { price: '1.299 KWD' }, null, null],
    ['one by default', { price: '1.299' }, 'KWD', null],
    ['one with a comma', { price: '1,299' }, 'KWD', ['price', written('1,299', '1299.00', '1.2990')]],
    ['a number', { price: 1.299 }, 'EUR', null],
    ['four decimals', { price: '1.2990' }, 'EUR', null],
    ['a zero before the point', { price: '0.299' }, 'EUR', null],
    ['four digits before the point', { price: '1299.125' }, 'EUR', null],
  ] as const)('before three digits is refused if it can be two: %s', (_what, fields, defaultCurrency, told) => {
    const { errors, raw: kept } = mapOf(fields, defaultCurrency === null ? {} : { defaultCurrency })
    expect(errors).toEqual(told === null ? [] : [{ field: told[0], code: 'bad_price', message: told[1] }])
    // Nothing else is wrong with it.
    for (const field of ['price', 'cost'] as const)
      if (kept[field] !== undefined) expect(kept[field]).toMatch(/^\d+(?:\.\d+)?$/)
  })

  test('in another currency than the price is refused', () => {
    expect(mapOf({ price: '15 EUR', sale_price: '12 USD', cost: '3' }).errors).toEqual([
      { field: 'salePrice', code: 'bad_price', message: 'Has another currency than the price.' },
    ])
    expect(mapOf({ price: '15 EUR', currency: 'usd' }).errors).toMatchObject([{ field: 'price' }])
    expect(mapOf({ price: '15 EUR', currency: 'eur', cost: '3 EUR' }).errors).toEqual([])
  })
})

describe('a value', () => {
  test.each([
    ['availability', 'in stock', 'IN_STOCK'],
    ['availability', 'in_stock', 'IN_STOCK'],
    ['availability', 'Out of Stock', 'OUT_OF_STOCK'],
    ['availability', 'pre_order', 'PREORDER'],
    ['availability', 'preorder', 'PREORDER'],
    ['availability', 'backorder', 'BACKORDER'],
    ['availability', 'soon', 'SOON'],
    ['condition', 'refurbished', 'REFURBISHED'],
    ['adult', 'yes', true],
    ['adult', 'FALSE', false],
    ['adult', 'maybe', 'maybe'],
    ['stock', ' 12 ', 12],
    ['stock', '12.0', 12],
    ['stock', '12.5', '12.5'],
    ['gtin', 4006381333931, '4006381333931'],
    ['categories', ['a', 'b'], ['a', 'b']],
    ['product_type', 'Home > Garden>Tools', ['Home', 'Garden>Tools']],
    ['product_type', ['Home > Garden', 'Sale'], ['Home', 'Garden']],
    ['product_type', 'Home  >\tGarden >Tools', ['Home', 'Garden >Tools']],
    ['labels', 'summer, sale,', ['summer', ' sale']],
    ['additional_image_link', 'https://a/1,2,https://a/3', ['https://a/1,2', 'https://a/3']],
    ['additional_image_link', 'https://a/1 , HTTPS://a/3', ['https://a/1', 'HTTPS://a/3']],
  ])('of %s can be %j', (name, value, read) => {
    const { attributes: _attributes, ...mapped } = raw({ [name]: value })
    expect(Object.values(mapped)).toEqual([read])
  })

  test('of spaces, a mebibyte of them, takes no time', () => {
    const spaces = `a${' '.repeat(2 ** 20)}b`
    const begun = process.threadCpuUsage()
    expect(raw({ product_type: spaces, additional_image_link: spaces, price: spaces, labels: spaces })).toMatchObject({
      ...{ categories: [spaces], additionalImageLinks: [spaces], price: spaces, labels: [spaces] },
    })
    // It took hours of processor time.
    expect(process.threadCpuUsage(begun).user).toBeLessThan(5_000_000)
  })

  test('of a sale is a range or two times', () => {
    const range = '2026-11-27T00:00+0100/2026-12-01T00:00+0100'
    expect(raw({ sale_price_effective_date: range })).toMatchObject({
      saleFrom: '2026-11-27T00:00+0100',
      saleUntil: '2026-12-01T00:00+0100',
    })
    expect(raw({ sale_price_effective_date: range, saleUntil: '2026-11-30' })).toMatchObject({
      saleUntil: '2026-11-30',
    })
  })

  test('of five labels is one each', () => {
    expect(raw({ custom_label_0: 'a', 'custom label 4': 'b', labels: 'c' }).labels).toEqual(['c', 'a', 'b'])
  })
})

test.each([
  ['<rss>', {}, 'GOOGLE_XML'],
  ['\ufeff \n<?xml', { contentType: 'text/plain' }, 'GOOGLE_XML'],
  ['<html>', { name: '/feed.csv' }, 'GOOGLE_XML'],
  ['{ "products" : [', {}, 'SHOPIFY_JSON'],
  ['{"id":1}', { name: '/products.json' }, 'JSONL'],
  ['id,title', { name: '/feed.csv.gz' }, 'CSV'],
  ['id\ttitle', {}, 'TSV'],
  ['id\ttitle,x', { name: '/feed.TSV' }, 'TSV'],
  ['id|title', { contentType: 'text/csv; charset=utf-8' }, 'CSV'],
  ['', { name: '/feed.jsonl' }, 'JSONL'],
  ['', { contentType: 'application/rss+xml' }, 'GOOGLE_XML'],
  ['', {}, 'CSV'],
] as const)('a file that begins with %j (%j) is %s', (beginning, of, format) =>
  expect(formatOf({ beginning, ...of })).toBe(format),
)
