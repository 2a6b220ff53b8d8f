import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printAmount } from '../../model/catalog/index.ts'
import { maxOrderItems, maxQuantity, readOrder } from './order.ts'

const item = { itemId: 'SKU-17-M', quantity: 3, price: '19.99' }
const order = {
  ...{ orderId: '100234', currency: 'EUR', total: '59.92', tax: '9.57', shipping: '4.95', discount: '5.00' },
  items: [item],
}
const read = (told: unknown) => readOrder(told, 'order')

test('an order has amounts as exact numbers', () => {
  expect(read({ ...order, future: [1] })).toEqual({
    ...{ orderId: '100234', currency: 'EUR', total: 599_200, tax: 95_700, shipping: 49_500, discount: 50_000 },
    items: [{ itemId: 'SKU-17-M', quantity: 3, price: 199_900 }],
  })
})

test('ids can be whole numbers, as many shops have them', () => {
  expect(read({ ...order, orderId: 100_234, items: [{ ...item, itemId: 17 }] })).toMatchObject({
    orderId: '100234',
    items: [{ itemId: '17' }],
  })
})

test('ids have no spaces around them, so an order meets that of an import, and its lines meet the catalog', () => {
  expect(read({ ...order, orderId: '\ufeff 100234\n', items: [{ ...item, itemId: ' SKU-17-M\u00a0' }] })).toEqual(
    read(order),
  )
})

test('taxes, shipping and discount can be left out', () => {
  const { tax: _tax, shipping: _shipping, discount, ...short } = order
  expect(read(short)).toMatchObject({ total: 599_200, tax: 0, shipping: 0, discount: 0 })
  expect(read({ ...short, discount: null })).toMatchObject({ discount: 0 })
  expect(discount).toBe('5.00')
})

test('an amount can be a number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 13 }), (amount) => {
      const typed = Number(printAmount(amount))
      expect(read({ ...order, tax: '0', shipping: 0, total: typed })).toMatchObject({ total: amount })
    }),
  )
})

test.each<[string, unknown, string]>([
  ['is a text', 'order', 'order must be an object with orderId, currency, total and items.'],
  ['is a list', [order], 'order must be an object with orderId'],
  ['has no id', { ...order, orderId: '' }, 'order.orderId must be a text of 1 to 100 characters, or'],
  ['has an id of spaces', { ...order, orderId: '  ' }, 'order.orderId must be a text of 1 to 100 characters, or'],
  ['has a long id', { ...order, orderId: 'x'.repeat(101) }, 'order.orderId must be a text of 1 to 100 characters, or'],
  ['has half a number as id', { ...order, orderId: 1.5 }, 'or a whole number of at most 15 digits.'],
  ['has a number as id that a double cannot hold', { ...order, orderId: 2 ** 53 }, 'order.orderId must be a text'],
  ['has true as id', { ...order, orderId: true }, 'order.orderId must be a text'],
  ['has no currency', { ...order, currency: undefined }, 'order.currency must be a currency code of ISO 4217'],
  ['has a currency in small letters', { ...order, currency: 'eur' }, 'in capital letters, such as EUR.'],
  ['has an unknown currency', { ...order, currency: 'EUX' }, 'order.currency must be'],
  ['has no total', { ...order, total: undefined }, 'order.total must be an amount from 0 to below 100000000000.00'],
  ['has a negative total', { ...order, total: '-1' }, 'order.total must be an amount'],
  ['has a total that would be rounded', { ...order, total: 0.1 + 0.2 }, 'with at most 4 decimals, such as "19.99".'],
  ['has a decimal comma', { ...order, total: '59,92' }, 'order.total must be written as 59.92, with a point'],
  ['has a total with its currency', { ...order, total: '59.92 EUR' }, 'order.total must be written as 59.92, without'],
  [
    'has marks between thousands',
    { ...order, total: '1.234.567' },
    'order.total must be written as 1234567.00, without',
  ],
  ['has a huge total', { ...order, total: '100000000000' }, 'order.total must be an amount'],
  ['has an infinite total', { ...order, total: Number.POSITIVE_INFINITY }, 'order.total must be an amount'],
  [
    'has more taxes than its total',
    { ...order, tax: '59.93' },
    'order.tax must be at most order.total, which is 59.92.',
  ],
  ['has more shipping than its total', { ...order, shipping: 60 }, 'order.shipping must be at most order.total'],
  ['has no items', { ...order, items: [] }, 'order.items must be a list of 1 to 200 items.'],
  ['has too many items', { ...order, items: Array(maxOrderItems + 1).fill(item) }, 'order.items must be a list'],
  ['has an item that is a text', { ...order, items: [item, 'SKU'] }, 'order.items[1] must be an object'],
  ['has an item without id', { ...order, items: [{ ...item, itemId: '' }] }, 'order.items[0].itemId must be a text'],
  ['has half a piece', { ...order, items: [{ ...item, quantity: 0.5 }] }, 'order.items[0].quantity must be a whole'],
  ['has no piece', { ...order, items: [{ ...item, quantity: 0 }] }, 'order.items[0].quantity must be a whole number'],
  ['has too many pieces', { ...order, items: [{ ...item, quantity: maxQuantity + 1 }] }, 'from 1 to 1000000.'],
  ['has an item without price', { ...order, items: [{ itemId: 'A', quantity: 1 }] }, 'order.items[0].price must be'],
])('an order that %s is refused', (_name, told, message) => {
  expect(read(told)).toEqual({ code: 'validation_failed', message: expect.stringContaining(message) })
})
