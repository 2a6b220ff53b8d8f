import { expect, test } from 'vitest'
import { isCurrency, money } from './money.ts'

test.each([
  ['19.99', 'EUR', '€19.99'],
  ['1234567.50', 'USD', '$1,234,567.50'],
  ['1818.00', 'JPY', '¥1,818'],
  ['0.1234', 'EUR', '€0.1234'],
  ['-3.00', 'EUR', '-€3.00'],
  ['3.00', '', '3.00'],
])('the amount %s in %s is %s', (amount, currency, words) => {
  expect(money(amount, currency)).toBe(words)
})

test.each([
  ['EUR', true],
  ['JPY', true],
  ['eur', false],
  ['ms', false],
  ['items', false],
  [null, false],
])('%s is a currency: %s', (unit, is) => expect(isCurrency(unit)).toBe(is))
