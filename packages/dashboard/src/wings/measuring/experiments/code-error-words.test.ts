import { expect, test } from 'vitest'
import { placeOfError, shareOfVisitors } from './code-error-words.ts'

test.each([
  [20, 0.0213, '20 (2.1\u00a0%)'],
  [5000, 1, '5,000 (100\u00a0%)'],
  [1, 0.000_01, '1 (under 0.1\u00a0%)'],
  [3, null, '3'],
])('%i visitors with a share of %s read as %s', (visitors, share, words) =>
  expect(shareOfVisitors({ visitors, share })).toBe(words),
)

test('an error is at a line of the code of a variation, as far as it is known', () => {
  expect(placeOfError({ line: 12 }, 'With price')).toBe('With price, line 12')
  expect(placeOfError({ line: null }, 'With price')).toBe('With price')
})
