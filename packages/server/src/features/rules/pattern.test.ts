import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternFault } from './pattern.ts'

const maxMatchMs = 1_000

test.each([
  'beta',
  '^/checkout(/|$)',
  '@example\\.com$',
  '^[^@]+@[^@]+\\.[a-z]{2,}$',
  '^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$',
  '^(?:nl|be|lu)-\\d+$',
  '(?<area>\\d+)-x',
  '\\p{Lu}\\p{Ll}*',
  '^v\\d+\\.\\d+\\.\\d+$',
  '[*+?|(){}]',
  '\\(a\\|b\\)+',
  '',
])('%s is accepted', (pattern) => expect(patternFault(pattern)).toBeUndefined())

const syntax = 'This is no regular expression of the RE2 syntax.'
const nested = 'A repeated group may not hold a repetition or alternatives.'
const slow = 'The pattern could take too long. Begin it with ^, or use fewer of * + ? { } and |.'

test.each([
  ['(', syntax],
  ['a**', syntax],
  ['(?=a)', syntax],
  ['(?<!a)b', syntax],
  ['(a)\\1', syntax],
  ['[z-a]', syntax],
  ['(?P<old>a)', syntax],
  ['(a+)+', nested],
  ['(a*)*b', nested],
  ['((a|b))*', nested],
  ['(?:a?){20}', nested],
  ['(?:(?:a{2}))+', nested],
  ['(?<name>a+:)+b', nested],
  ['(?<name>a|aa|x:y)+b', nested],
  ['a{101}', 'A count may be up to 100.'],
  ['.*.*.*b', slow],
  ['^.*.*.*.*b', slow],
  [`${'a?'.repeat(30)}b`, slow],
  [`${'(a|a)'.repeat(40)}b`, slow],
  [`${'a{0,99}'.repeat(10)}b`, slow],
  ['^.*.*.*|b', slow],
  ['a'.repeat(257), 'A pattern may have up to 256 characters.'],
])('%s is refused: %s', (pattern, fault) => expect(patternFault(pattern)).toBe(fault))

/** Pieces that overlap on purpose: every one of them can match a run of the letter a. */
const piece = fc.constantFrom(
  'a',
  'a?',
  'a*',
  'a+',
  '.*',
  'a{0,9}',
  'a{3}',
  '(?:aa)*',
  '(a|a)',
  '(?:a|aa|.)',
  '(a+)',
  '\\w*',
  '^',
  '|',
  '(?<n>a*:|a)+',
)

test('an accepted pattern runs fast on a text made to be slow', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', 'b', '$'), (pieces, end) => {
      const pattern = pieces.join('') + end
      fc.pre(patternFault(pattern) === undefined)
      const matcher = new RegExp(pattern, 'u')
      const before = performance.now()
      matcher.test(`${'a'.repeat(255)}!`)
      expect(performance.now() - before).toBeLessThan(maxMatchMs)
    }),
  )
})
