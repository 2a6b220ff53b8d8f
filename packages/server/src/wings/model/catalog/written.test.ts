import { expect, test } from 'vitest'
import { howToWrite } from './written.ts'

const say = (text: string) => howToWrite(text, { currency: 'EUR' })

test.each([
  ['1.234.567', '1234567.00, without marks between thousands.'],
  ['1,234,567', '1234567.00, without marks between thousands.'],
  ['1,23,456.50', '123456.50, without marks between thousands.'],
  ['1 234,50', '1234.50, without marks between thousands.'],
  ['1\u00a0234,50', '1234.50, without marks between thousands.'],
  ['1\u202f234\u202f567', '1234567.00, without marks between thousands.'],
  ["1'234.50", '1234.50, without marks between thousands.'],
  ['1’234.50', '1234.50, without marks between thousands.'],
  ['€ 12,50', '12.50, without its currency, whose code has a field of its own.'],
  ['12,50\u00a0€', '12.50, without its currency, whose code has a field of its own.'],
  ['US$1,299.00', '1299.00, without its currency, whose code has a field of its own.'],
  ['12,50 zł', '12.50, without its currency, whose code has a field of its own.'],
  ['1 299 kr.', '1299.00, without its currency, whose code has a field of its own.'],
  ['59.92 EUR', '59.92, without its currency, whose code has a field of its own.'],
  ['EUR12.5', '12.50, without its currency, whose code has a field of its own.'],
  ['１２.５０', '12.50, with the digits 0 to 9.'],
  ['١٢٫٥٠', '12.50, with the digits 0 to 9.'],
  ['1e3', '1000.00, without an exponent.'],
  ['-0', '0.00, without a sign.'],
  ['+12,5', '12.50, without a sign.'],
  ['.5', '0.50, with digits around its point.'],
  ['12.', '12.00, with digits around its point.'],
  ['12,-', '12.00, with digits around its point.'],
  ['0,500', '0.50, with a point before its decimals.'],
  ['1234,567', '1234.567, with a point before its decimals.'],
  ['12,50', '12.50, with a point before its decimals.'],
])('%j must be written as %s', (text, told) => expect(say(text)).toBe(`Must be written as ${told}`))

test.each([
  ['1,299', '1299.00 or 1.2990, because 1,299 can mean both.'],
  ['€ 1.299', '1299.00 or 1.2990, because 1.299 can mean both.'],
])('%j can be two amounts', (text, told) => expect(say(text)).toBe(`Must be written as ${told}`))

test.each([
  '',
  'free',
  'NaN',
  'Infinity',
  '-12',
  '0x10',
  '12;50',
  '12 50',
  '1.2.3',
  '5 - 10',
  'from 12.50',
  '€',
  'EUR',
])('nobody can tell what %j means', (text) => expect(say(text)).toBeNull())

test.each(['USD 12 EUR', '12.50 xyz', '12 per day', '99999999999999', '1.23456,7', `${'1'.repeat(50)} €`])(
  'no amount can be made of %j',
  (text) => expect(say(text)).toBeNull(),
)

test('a currency with three decimals has a clear point, also beside its sign', () => {
  expect(howToWrite('KD 1.299', { currency: 'KWD' })).toBeNull()
  expect(howToWrite('KWD 1.299', { currency: 'KWD' })).toContain('as 1.299, without its currency')
})
