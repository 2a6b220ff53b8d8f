import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRounded } from './exact-number.ts'

test.each([
  '9007199254740993',
  '-9007199254740993',
  '+9007199254740993',
  '9007199254740993.0',
  '9007199254740993e0',
  '9.007199254740993e15',
  '9.007199254740993E+15',
  '90071992547409930e-1',
  '0.9007199254740993e16',
  '12345678901234567890.5',
  '0x20000000000001',
  '0o400000000000000001',
])('%s becomes a different whole number', (source) => expect(isRounded(source, Number(source))).toBe(true))

test.each([
  '9007199254740992',
  '9007199254740992.25',
  '12345678901234567000',
  '1e23',
  '1.5e300',
  '0.12345678901234567890',
  '4503599627370497.6',
  '0.99999999999999999999',
  '1e400',
  '-0',
  '0x1f',
])('%s stays', (source) => expect(isRounded(source, Number(source))).toBe(false))

test('what a double is written with never becomes another number', () => {
  fc.assert(fc.property(fc.double({ noNaN: true }), (value) => !isRounded(JSON.stringify(value), value)))
})
