import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountLimit, isCurrency, minorUnits, parseAmount, printAmount } from './money.ts'

test.each([
  ['19.99', 199_900, '19.99'],
  ['20', 200_000, '20.00'],
  ['0', 0, '0.00'],
  ['7.5', 75_000, '7.50'],
  ['0.125', 1250, '0.125'],
  ['0.0001', 1, '0.0001'],
  ['1.2300000', 12_300, '1.23'],
  ['007.10', 71_000, '7.10'],
  ['99999999999.9999', amountLimit - 1, '99999999999.9999'],
])('%s is %i of 1/10,000, printed as %s', (text, amount, printed) => {
  expect(parseAmount(text)).toEqual({ amount, isRounded: false })
  expect(printAmount(amount)).toBe(printed)
})

test.each([
  ['8.264463', 82_645],
  ['8.26445', 82_645],
  ['8.26444999', 82_644],
  ['0.99995', 10_000],
])('%s is rounded to %i of 1/10,000', (text, amount) => expect(parseAmount(text)).toEqual({ amount, isRounded: true }))

test.each(['', ' 1', '1 ', '-1', '+1', '1.', '.5', '1,50', '1e3', '0x10', '1_000', '٣', 'NaN', '19.99 EUR'])(
  '%j is no amount',
  (text) => expect(parseAmount(text)).toBeUndefined(),
)

test.each(['100000000000', '99999999999.99995'])('%s is too large', (text) => expect(parseAmount(text)).toBeUndefined())

test('a negative amount is printed with its sign', () => expect(printAmount(-12_345)).toBe('-1.2345'))

test('what is printed is read as the same amount', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: amountLimit - 1 }), (amount) => {
      expect(printAmount(amount)).toMatch(/^\d+\.\d{2,4}$/)
      expect(parseAmount(printAmount(amount))).toEqual({ amount, isRounded: false })
    }),
  ))

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
])('%s has %i decimals', (currency, decimals) => {
  expect(isCurrency(currency)).toBe(true)
  expect(minorUnits(currency)).toBe(decimals)
})

test.each(['eur', 'EURO', 'XYZ', ''])('%j is no currency', (code) => expect(isCurrency(code)).toBe(false))
