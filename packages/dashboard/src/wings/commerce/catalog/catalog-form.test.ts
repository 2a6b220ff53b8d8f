import { expect, test } from 'vitest'
import { type CatalogValues, inputOf, rateFaults, rules, updateOf, valuesOf } from './catalog-form.ts'

const values: CatalogValues = { currency: 'EUR', rates: [{ key: 'USD', rate: '0.92' }], trust: 'AUTO' }

test('the form begins with the settings', () =>
  expect(
    valuesOf({
      ...{ currency: null, rates: { USD: '0.92' }, orders: { trust: 'SDK', confirmedFrom: {} } },
      ...{ counts: { items: 0, products: 0 }, revision: 0, createdAt: '', updatedAt: '' },
    }),
  ).toEqual({ currency: '', rates: [{ key: 'USD', rate: '0.92' }], trust: 'SDK' }))

test.each<[Partial<CatalogValues>, object]>([
  [{}, {}],
  [{ trust: 'CONFIRMED' }, { orders: { trust: 'CONFIRMED' } }],
  [{ rates: [{ key: ' GBP ', rate: '1,17' }] }, { rates: { GBP: '1.17' } }],
  [{ rates: [] }, { rates: {} }],
  [{ currency: 'GBP' }, { currency: 'GBP', rates: { USD: '0.92' } }],
  [{ currency: '' }, { currency: null, rates: { USD: '0.92' } }],
])('of %j, what has changed is sent', (change, body) =>
  expect(updateOf({ ...values, ...change }, values)).toEqual(body),
)

test('rates that are wrong are named, each at its input', () => {
  const rates = [
    { key: 'usd', rate: '0' },
    { key: 'EUR', rate: '1' },
    { key: 'GBP', rate: '1.1' },
    { key: 'GBP', rate: 'much' },
  ]
  expect(Object.keys(rateFaults({ ...values, rates }))).toEqual([
    ...['rates.0.key', 'rates.0.rate', 'rates.1.key', 'rates.3.key', 'rates.3.rate'],
  ])
  expect(rateFaults(values)).toEqual({})
  expect([rules.currency('EUR'), rules.currency('')]).toEqual([undefined, undefined])
  expect(rules.currency('euro')).toMatch(/three capital letters/)
  expect(inputOf(['rates', 'USD'], values)).toBe('rates.0.rate')
  expect(inputOf(['orders', 'trust'], values)).toBe('trust')
})
