import { expect, test } from 'vitest'
import { list, literal } from './text.ts'

test.each([
  ['visitor-1', "'visitor-1'"],
  ["it's", "'it\\'s'"],
  ['a\\', "'a\\\\'"],
  ["\\' or 1 = 1 --", "'\\\\\\' or 1 = 1 --'"],
  ['你好\n', "'你好\n'"],
])('%j is %s in a statement', (text, expected) => {
  expect(literal(text)).toBe(expected)
})

test.each([
  [['a', "b'"], "('a', 'b\\'')"],
  [[], "('')"],
])('%j is the list %s', (texts, expected) => {
  expect(list(texts)).toBe(expected)
})
