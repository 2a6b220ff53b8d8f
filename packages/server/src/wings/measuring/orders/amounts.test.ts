import { describe, expect, test } from 'vitest'
import { amountLimit } from '../../model/catalog/index.ts'
import { costsOf, orderCost } from './amounts.ts'

describe('the cost of an item in the currency of an order', () => {
  const rates: Record<string, string> = { EUR: '1', USD: '0.92', VND: '0.0000000001', KWD: '999999999.9999999999' }
  const rateOf = (currency: string) => rates[currency] ?? null

  test.each([
    ['that it has', 75_000, 'EUR', 'EUR', 75_000],
    ['that nobody has a rate for, but it has', 75_000, 'XAF', 'XAF', 75_000],
    ['with a lower rate', 75_000, 'EUR', 'USD', 81_522],
    ['with a higher rate', 75_000, 'USD', 'EUR', 69_000],
    ['without a rate', 75_000, 'EUR', 'XAF', null],
    ['of which the item has no rate', 75_000, 'XAF', 'EUR', null],
    ['that is unknown', null, 'EUR', 'USD', null],
    ['just below the largest amount', 99_999, 'EUR', 'VND', 999_990_000_000_000],
    ['that would be too large to store', 100_000, 'EUR', 'VND', null],
    ['that would have no exact number', amountLimit - 1, 'KWD', 'VND', null],
    ['that is rounded to nothing', 1, 'VND', 'KWD', 0],
  ])('%s', (_name, cost, currency, of, expected) =>
    expect(orderCost({ cost, currency }, of, { rateOf })).toBe(expected),
  )
})

test('the costs of all pieces are exact, and unknown if one is', () => {
  const most = { quantity: 1_000_000, cost: amountLimit - 1 }
  expect(costsOf(Array.from({ length: 200 }, () => most))).toBe('19999999999999980000.0000')
  expect(costsOf([{ quantity: 3, cost: 33 }])).toBe('0.0099')
  expect(costsOf([most, { quantity: 1, cost: null }])).toBe(null)
})
