import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternFault } from './pattern.ts'

const maxMatchMs = 250

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
  '^/shop/.*/cart/.*$',
  '^[\\w.+-]+@(?:[\\w-]+)\\.(?:com|org|net)$',
  '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
  'utm_source=[^&]*&.*utm_medium=mail',
  '[^/]*/[^/]*/[^/]*/[^/]*/end',
  '__proto__|constructor|toString',
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
  ['(a+)+$', nested],
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
  ['^.*.*.*b', slow],
  ['^.*.*.*|b', slow],
  ['.*foo.*bar', slow],
  ['^\\d+\\d+\\d+$', slow],
  // The character that follows is one of the repetition, or may be left out, or is it in other letters.
  ['a+a.*b.*', slow],
  ['[^@]+@?.*b.*', slow],
  ['[^@]+@{0,3}.*b.*', slow],
  ['s+S.*b.*', slow],
  ['k+\u212a.*b.*', slow],
  ['\\x61+a.*b.*', slow],
  ['(a+|b+)c.*.*', slow],
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
  '[^-]+-',
  '[^-]*-?',
  'a+-',
  '(a*)-',
  '\\x61*-',
)

/** Runs that nearly match, to the end or to one character before it. */
const text = fc
  .array(fc.constantFrom('a', 'a-', '-', 'aa-a', 'b', 'A'), { minLength: 1, maxLength: 4 })
  .map((parts) => `${parts.join('').repeat(256).slice(0, 255)}!`)

test('an accepted pattern runs fast on a text made to be slow', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', 'b', '$'), text, (pieces, end, tried) => {
      const pattern = pieces.join('') + end
      fc.pre(patternFault(pattern) === undefined)
      for (const flags of ['u', 'iu']) {
        const matcher = new RegExp(pattern, flags)
        const before = performance.now()
        matcher.test(tried)
        expect(performance.now() - before, pattern).toBeLessThan(maxMatchMs)
      }
    }),
  )
})
