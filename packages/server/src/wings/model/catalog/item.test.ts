import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkItem, type Item, itemHash } from './item.ts'
import { printAmount } from './money.ts'

const least = { itemId: 'SKU-1', title: 'Shirt', link: 'https://shop.example/1', price: '19.99', currency: 'EUR' }
const check = (raw: Record<string, unknown>, defaultCurrency: string | null = null) =>
  checkItem(raw, { defaultCurrency })
const itemOf = (raw: Record<string, unknown>): Item => {
  const checked = check({ ...least, ...raw })
  if ('errors' in checked) throw new Error(JSON.stringify(checked.errors))
  return checked.item
}

test('the least that an item needs, and what it is without the rest', () =>
  expect(check(least)).toEqual({
    item: {
      ...{ itemId: 'SKU-1', productId: 'SKU-1', title: 'Shirt', description: null },
      ...{ link: 'https://shop.example/1', imageLink: null, additionalImageLinks: [] },
      ...{ availability: 'IN_STOCK', stock: null, price: 199_900, salePrice: null, currency: 'EUR', cost: null },
      ...{ saleFrom: null, saleUntil: null, brand: null, gtin: null, mpn: null, sku: null, categories: [] },
      ...{ condition: null, adult: false, labels: [], attributes: {} },
    },
    warnings: [],
  }))

test('everything that an item can have', () =>
  expect(
    itemOf({
      ...{ productId: ' G17 ', description: 'Soft.', imageLink: 'http://cdn.example/1.jpg' },
      ...{ additionalImageLinks: ['https://cdn.example/2.jpg', 'https://cdn.example/2.jpg'] },
      ...{ availability: 'PREORDER', stock: 0, salePrice: '14.9', cost: '7.50', currency: 'usd' },
      ...{ saleFrom: '2026-11-27', saleUntil: '2026-11-30T24:00:00+01:00', brand: 'Acme', gtin: '4006381333931' },
      ...{ categories: ['Clothing', '', 'Shirts'], condition: 'NEW', adult: true, labels: ['summer', 'summer'] },
      attributes: { size: 'M', color: 'blue', pockets: 2, organic: true, none: null },
    }),
  ).toMatchObject({
    ...{ productId: 'G17', description: 'Soft.', imageLink: 'http://cdn.example/1.jpg' },
    additionalImageLinks: ['https://cdn.example/2.jpg'],
    ...{ availability: 'PREORDER', stock: 0, salePrice: 149_000, cost: 75_000, currency: 'USD' },
    ...{ saleFrom: '2026-11-27T00:00:00.000Z', saleUntil: '2026-11-30T23:00:00.000Z', gtin: '4006381333931' },
    ...{ categories: ['Clothing', 'Shirts'], condition: 'NEW', adult: true, labels: ['summer'] },
    attributes: { color: 'blue', organic: 'true', pockets: '2', size: 'M' },
  }))

test.each<[Record<string, unknown>, string, string]>([
  [{ itemId: undefined }, 'itemId', 'missing_id'],
  [{ itemId: ' ' }, 'itemId', 'missing_id'],
  [{ itemId: 17 }, 'itemId', 'bad_id'],
  [{ itemId: 'a'.repeat(101) }, 'itemId', 'bad_id'],
  [{ itemId: 'a\nb' }, 'itemId', 'bad_id'],
  [{ itemId: 'a\ud800' }, 'itemId', 'bad_id'],
  [{ itemId: '..' }, 'itemId', 'bad_id'],
  [{ productId: 'a'.repeat(101) }, 'productId', 'bad_id'],
  [{ title: null }, 'title', 'missing_title'],
  [{ title: '\0' }, 'title', 'missing_title'],
  [{ title: 1 }, 'title', 'bad_value'],
  [{ link: '' }, 'link', 'bad_url'],
  [{ link: '/p/1' }, 'link', 'bad_url'],
  [{ link: 'javascript:alert(1)' }, 'link', 'bad_url'],
  [{ link: 'https:///shop' }, 'link', 'bad_url'],
  [{ link: 'https://shop.example/a\nb' }, 'link', 'bad_url'],
  [{ imageLink: 'data:image/png;base64,AA' }, 'imageLink', 'bad_url'],
  [{ price: undefined }, 'price', 'bad_price'],
  [{ price: 19.99 }, 'price', 'bad_price'],
  [{ price: '19,99' }, 'price', 'bad_price'],
  [{ price: '-1' }, 'price', 'bad_price'],
  [{ price: '100000000000' }, 'price', 'bad_price'],
  [{ salePrice: 'free' }, 'salePrice', 'bad_price'],
  [{ cost: '7.50 EUR' }, 'cost', 'bad_price'],
  [{ currency: null }, 'currency', 'unknown_currency'],
  [{ currency: 'EURO' }, 'currency', 'unknown_currency'],
  [{ availability: 'in stock' }, 'availability', 'bad_value'],
  [{ stock: 1.5 }, 'stock', 'bad_value'],
  [{ stock: '12' }, 'stock', 'bad_value'],
  [{ stock: 2 ** 31 }, 'stock', 'bad_value'],
  [{ saleFrom: 'tomorrow' }, 'saleFrom', 'bad_value'],
  [{ saleUntil: '2026-13-01' }, 'saleUntil', 'bad_value'],
  [{ saleUntil: '2026-02-30' }, 'saleUntil', 'bad_value'],
  [{ saleUntil: '2026-11-27T25:00' }, 'saleUntil', 'bad_value'],
  [{ categories: 'Clothing > Shirts' }, 'categories', 'bad_value'],
  [{ labels: [1] }, 'labels', 'bad_value'],
  [{ condition: 'GOOD' }, 'condition', 'bad_value'],
  [{ adult: 'yes' }, 'adult', 'bad_value'],
  [{ attributes: ['a'] }, 'attributes', 'bad_value'],
  [{ attributes: { size: { eu: 42 } } }, 'attributes.size', 'bad_value'],
  [{ sourceId: '1' }, 'sourceId', 'unknown_field'],
])('%j is refused: %s %s', (raw, field, code) =>
  expect(check({ ...least, ...raw })).toEqual({ errors: [{ field, code, message: expect.any(String) }] }),
)

test.each([
  ['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999Z', true],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', false],
  ['9999-12-31', '9999-12-31T00:00:00.000Z', false],
  ['0000-01-01T00:00+14:00', '0001-01-01T00:00:00.000Z', true],
])('a sale until %s is one until %s', (saleUntil, shown, isReplaced) =>
  expect(check({ ...least, saleUntil })).toMatchObject({
    item: { saleUntil: shown },
    warnings: isReplaced ? [{ field: 'saleUntil', code: 'replaced', message: `Counts as ${shown}.` }] : [],
  }),
)

test('everything that is wrong is said at once', () =>
  expect(check({})).toEqual({
    errors: ['missing_id', 'bad_url', 'bad_price', 'missing_title'].map((code) => expect.objectContaining({ code })),
  }))

test.each([
  ['12 Euro', undefined, ['bad_price']],
  ['€ 12', undefined, ['bad_price']],
  [undefined, undefined, ['bad_price']],
  ['12 Euro', 'EURO', ['bad_price', 'unknown_currency']],
  ['12', undefined, ['unknown_currency']],
])('the price %j with the currency %j gives the errors %j', (price, currency, codes) =>
  expect(check({ ...least, price, currency })).toEqual({
    errors: codes.map((code) => expect.objectContaining({ code })),
  }),
)

test('the default currency counts if the row has none', () => {
  expect(check({ ...least, currency: '' }, 'SEK')).toMatchObject({ item: { currency: 'SEK' } })
  expect(check(least, 'SEK')).toMatchObject({ item: { currency: 'EUR' } })
})

const many = (count: number, one: (index: number) => string) => Array.from({ length: count }, (_, index) => one(index))

test.each<[Record<string, unknown>, Partial<Item>, string, string]>([
  [{ title: 'a'.repeat(501) }, { title: 'a'.repeat(500) }, 'title', 'cut'],
  [{ title: `${'a'.repeat(499)}😀` }, { title: 'a'.repeat(499) }, 'title', 'cut'],
  [{ description: 'a'.repeat(5001) }, { description: 'a'.repeat(5000) }, 'description', 'cut'],
  [{ link: `${least.link}?${'a'.repeat(2000)}` }, { link: `${least.link}?${'a'.repeat(1977)}` }, 'link', 'cut'],
  [{ brand: 'a'.repeat(101) }, { brand: 'a'.repeat(100) }, 'brand', 'cut'],
  [{ categories: many(11, String) }, { categories: many(10, String) }, 'categories', 'cut'],
  [{ categories: ['a'.repeat(81)] }, { categories: ['a'.repeat(80)] }, 'categories', 'cut'],
  [{ labels: many(51, String) }, { labels: many(50, String) }, 'labels', 'cut'],
  [{ additionalImageLinks: ['/1.jpg'] }, { additionalImageLinks: [] }, 'additionalImageLinks', 'left_out'],
  [{ attributes: { size: 'a'.repeat(1001) } }, { attributes: { size: 'a'.repeat(1000) } }, 'attributes.size', 'cut'],
  [{ price: '8.264463' }, { price: 82_645 }, 'price', 'rounded'],
  [{ stock: -3 }, { stock: 0 }, 'stock', 'replaced'],
])('%j is taken with a warning', (raw, item, field, code) =>
  expect(check({ ...least, ...raw })).toMatchObject({ item, warnings: [{ field, code }] }),
)

test('only the first 50 attributes are kept, and no name changes what an object is', () => {
  const item = itemOf({ attributes: JSON.parse('{ "__proto__": "a", "constructor": "b" }') })
  expect(Object.entries(item.attributes)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ])
  const attributes = Object.fromEntries(many(51, (index) => `a${index}`).map((name) => [name, 'x']))
  expect(Object.keys(itemOf({ attributes }).attributes)).toHaveLength(50)
})

const printed = (item: Item) => ({
  ...item,
  price: printAmount(item.price),
  salePrice: item.salePrice && printAmount(item.salePrice),
  cost: item.cost && printAmount(item.cost),
})
const anyText = fc.string({ unit: 'binary', maxLength: 120 })
const anyItem = fc.record({
  itemId: fc.stringMatching(/^[!-~]{3,100}$/),
  title: anyText.map((text) => `a${text}`),
  description: anyText,
  link: anyText.map((text) => `https://shop.example/?${encodeURIComponent(text.toWellFormed())}`),
  price: fc.integer({ min: 0, max: 1e12 }).map(printAmount),
  currency: fc.constantFrom('EUR', 'jpy', 'KWD'),
  stock: fc.integer({ min: -5, max: 100 }),
  categories: fc.array(anyText, { maxLength: 12 }),
  labels: fc.array(anyText, { maxLength: 5 }),
  attributes: fc.dictionary(anyText, fc.oneof(anyText, fc.integer(), fc.boolean())),
})

test('an item that was checked is checked as the same item, without warnings', () =>
  fc.assert(
    fc.property(anyItem, (raw) => {
      const item = itemOf(raw)
      expect(check(printed(item))).toEqual({ item, warnings: [] })
    }),
  ))

test('the hash follows from the content alone', () =>
  fc.assert(
    fc.property(anyItem, anyItem, (raw, other) => {
      const item = itemOf(raw)
      const backwards = Object.fromEntries(Object.entries(raw).reverse())
      expect(itemHash(itemOf(backwards))).toBe(itemHash(item))
      expect(itemHash(itemOf({ ...other, itemId: `${item.itemId.slice(1)}x` }))).not.toBe(itemHash(item))
    }),
  ))

test('the hash is the same in each version of the service', () =>
  expect(itemHash(itemOf({ attributes: { size: 'M' } }))).toMatchInlineSnapshot(`"V5_hYJbAfwDDYY7pSseMxQ"`))

test.each([
  ['price', '1.234.567', 'Must be written as 1234567.00, without marks between thousands.'],
  ['salePrice', '19,99', 'Must be written as 19.99, with a point before its decimals.'],
  ['cost', '1,299', 'Must be written as 1299.00 or 1.2990, because 1,299 can mean both.'],
  ['price', 'free', 'Must be a decimal text such as "19.99", from 0 to 99999999999.9999.'],
])('the %s %j is told with how to write it, if that is clear', (field, value, message) => {
  expect(checkItem({ ...least, [field]: value }, { defaultCurrency: null })).toEqual({
    errors: [{ field, code: 'bad_price', message }],
  })
})
