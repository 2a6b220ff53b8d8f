import { expect, test } from 'vitest'
import { checkOrder } from './check.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const line = { itemId: 'SKU-17-M', quantity: '3', price: '19.99' }
const order = { orderId: '100234', placedAt: '2026-11-19T10:02:31Z', currency: 'EUR', total: '59.92' }
const check = (more: object = {}, items: object[] = [line], defaultCurrency: string | null = null) =>
  checkOrder({ ...order, ...more }, items as never, { defaultCurrency, now })

test('an order is read with defaults, numbers and texts alike', () => {
  const read = {
    ...{ orderId: '100234', placedAt: new Date('2026-11-19T10:02:31Z'), unit: null, currency: 'EUR' },
    ...{ total: 599_200, tax: 0, shipping: 0, discount: 0, refunded: 0, status: 'PLACED' },
    items: [{ itemId: 'SKU-17-M', quantity: 3, refundedQuantity: 0, price: 199_900, cost: null }],
  }
  expect(check()).toEqual({ order: read })
  expect(check({ orderId: 100234, total: 59.92, currency: ' eur', unit: '' }, [{ ...line, quantity: 3 }])).toEqual({
    order: read,
  })
  expect(check({ total: '59,92', currency: undefined }, [{ ...line, price: '19,99' }], 'EUR')).toEqual({ order: read })
  for (const total of ['1.259,92', '1,259.92'])
    expect(check({ total })).toEqual({ order: { ...read, total: 12_599_200 } })
})

test.each([
  ['in a currency with three decimals', { total: '1.259', currency: 'KWD' }, { total: 12_590 }],
  ['as a number', { total: 1.259 }, { total: 12_590 }],
  ['with four decimals', { total: '1.2590' }, { total: 12_590 }],
  ['of a part that cannot be thousands of the total', { tax: '9.567' }, { tax: 95_670 }],
])('an amount with three decimals is clear %s', (_what, more, expected) => {
  expect(check(more)).toMatchObject({ order: expected })
})

test('an amount that can mean two is told with how to write it', () => {
  expect(check({ total: '5000' }, [{ ...line, cost: '1.259' }])).toEqual({
    problems: [
      {
        code: 'bad_amount',
        message: 'items[0].cost must be written as 1259.00 or 1.2590, because 1.259 can mean both.',
      },
    ],
  })
})

test.each([
  [{ total: '1.234.567' }, 'total must be written as 1234567.00, without marks between thousands.'],
  [{ total: '5000', discount: '€ 5' }, 'discount must be written as 5.00, without its currency, whose code has'],
  [{ refundedAmount: '+5,50' }, 'refundedAmount must be written as 5.50, without a sign.'],
])('%o is told with how to write it', (more, message) => {
  expect(check(more)).toEqual({ problems: [{ code: 'bad_amount', message: expect.stringContaining(message) }] })
})

test.each([
  ['2026-11-19 10:02', '2026-11-19T10:02:00.000Z'],
  ['2026-11-19T10:02:31.5+0100', '2026-11-19T09:02:31.500Z'],
  ['2026-11-20T23:00:00-05:00', '2026-11-21T04:00:00.000Z'],
])('the time %s is %s', (placedAt, expected) => {
  expect(check({ placedAt })).toMatchObject({ order: { placedAt: new Date(expected) } })
})

test.each([
  [{}, 'PLACED', 0],
  [{ refundedAmount: '19.99' }, 'PARTIALLY_REFUNDED', 199_900],
  [{ refundedAmount: '59.92' }, 'REFUNDED', 599_200],
  [{ status: 'refunded' }, 'REFUNDED', 599_200],
  [{ status: 'REFUNDED', refundedAmount: '50' }, 'REFUNDED', 500_000],
  [{ status: 'Partially refunded', refundedAmount: '1' }, 'PARTIALLY_REFUNDED', 10_000],
  [{ status: 'canceled' }, 'CANCELLED', 0],
  [{ status: 'CANCELLED', refundedAmount: '59.92' }, 'CANCELLED', 599_200],
] as const)('%o is %s', (more, status, refunded) => {
  expect(check(more)).toMatchObject({ order: { status, refunded } })
})

test.each([
  [{ orderId: ' ' }, 'missing_id'],
  [{ orderId: 'x'.repeat(101) }, 'missing_id'],
  [{ orderId: 'a\0b' }, 'missing_id'],
  [{ placedAt: 'yesterday' }, 'bad_time'],
  [{ placedAt: '2026-02-30T10:00Z' }, 'bad_time'],
  [{ placedAt: '2026-11-22T10:00Z' }, 'in_future'],
  [{ placedAt: '1999-12-31T10:00Z' }, 'bad_time'],
  [{ unit: 'x'.repeat(513) }, 'bad_unit'],
  [{ unit: { id: 'u' } }, 'bad_unit'],
  [{ unit: 'u\0' }, 'bad_unit'],
  [{ unit: 'u\ud800' }, 'bad_unit'],
  [{ currency: 'EURO' }, 'unknown_currency'],
  [{ currency: undefined }, 'unknown_currency'],
  [{ total: undefined }, 'bad_amount'],
  [{ total: '-1' }, 'bad_amount'],
  [{ total: '1,259' }, 'bad_amount'],
  [{ total: '1.259' }, 'bad_amount'],
  [{ total: '5000.00', tax: '1.259' }, 'bad_amount'],
  [{ discount: '1.259' }, 'bad_amount'],
  [{ total: 0.1 + 0.2 }, 'bad_amount'],
  [{ tax: '60' }, 'bad_amount'],
  [{ refundedAmount: '60' }, 'bad_amount'],
  [{ status: 'shipped' }, 'bad_status'],
  [{ status: 'PLACED', refundedAmount: '1' }, 'bad_status'],
  [{ status: 'PARTIALLY_REFUNDED' }, 'bad_status'],
  [{ status: 'REFUNDED', refundedAmount: '0.00' }, 'bad_status'],
])('%o is refused with %s', (more, code) => {
  expect(check(more)).toMatchObject({ problems: [{ code }] })
})

test.each([
  [[], 'bad_item'],
  [Array.from({ length: 201 }, () => line), 'bad_item'],
  [[{ ...line, itemId: '' }], 'bad_item'],
  [[{ ...line, quantity: 0 }], 'bad_item'],
  [[{ ...line, quantity: 1.5 }], 'bad_item'],
  [[{ ...line, refundedQuantity: 4 }], 'bad_item'],
  [[{ ...line, price: 'free' }], 'bad_amount'],
  [[{ ...line, cost: '1.23456' }], 'bad_amount'],
  [[{ ...line, price: '19,990' }], 'bad_amount'],
])('lines %o are refused with %s', (items, code) => {
  expect(check({}, items)).toMatchObject({ problems: [{ code }] })
})
