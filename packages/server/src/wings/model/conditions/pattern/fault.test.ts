import { expect, test } from 'vitest'
import { patternFault } from './fault.ts'

test.each([
  'beta',
  '',
  '^/checkout(/|$)',
  '@example\\.com$',
  '.*@example\\.com$',
  '.*?beta',
  '^.*@example\\.com$',
  '^[^@]+@[^@]+\\.[a-z]{2,}$',
  '^[\\w.+-]+@(?:[\\w-]+)\\.(?:com|org|net)$',
  '^(?:[a-z0-9-]+\\.)+[a-z]{2,63}$',
  '^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$',
  '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
  '^\\d+(?:\\.\\d+)?$',
  '^v\\d+\\.\\d+\\.\\d+$',
  '^(?:nl|be|lu)-\\d+$',
  '^(?<area>\\d+)-x',
  '^https?://(?:[^/]+\\.)?example\\.com(?:/.*)?$',
  '^/shop/[^/]*/cart/.*$',
  'utm_source=[^&]*',
  'utm_source=[^&]*&?',
  '\\p{Lu}\\p{Ll}*',
  '(?:^|,)beta(?:,|$)',
  '^(?:ab|cd)+$',
  '[*+?|(){}]',
  '\\(a\\|b\\)+',
  '^[a-z]+\\d+$',
  '^a{255}b{0}',
  // Matches after one letter, so nothing is tried twice.
  '(?:a|a)+',
  `(?:${Array.from({ length: 40 }, (_, index) => `w${index}`).join('|')})$`,
  '__proto__|constructor|toString',
  // Classes that contain no character or all characters.
  '[^\\w\\W]',
  'a[^\\s\\S]b',
  '[^\\P{Lt}]',
  '^[\\w\\W]*$',
  '^\\p{L}+-\\p{L}+$',
  '\\bbeta\\b',
  // A backslash and a B.
  '^C:\\\\Beta',
])('%s is accepted', (pattern) => {
  expect(patternFault(pattern, true)).toBeUndefined()
  expect(patternFault(pattern, false)).toBeUndefined()
})

const syntax = 'must be a regular expression in the syntax that RE2 and ECMAScript share.'
const innerBoundary =
  'must not contain \\B: engines disagree on it inside characters such as emoji. Use \\b, or name the characters.'
const choices = 'must not have so many choices in a row: use fewer of ? { } and |.'
const size = 'must have at most 256 characters when its counts are written out.'
const ambiguous = (repetition: string) =>
  `must match in linear time, but ${repetition} can divide a text in too many ways.`
const slow = (repetition: string) =>
  `${ambiguous(repetition)} Begin the pattern with ^, or make sure that no repetition can match what follows it.`
const slowInAnAlternative = (repetition: string) =>
  slow(repetition).replace('the pattern with', 'each alternative with')
const slowFromTheStart = (repetition: string) =>
  `${ambiguous(repetition)} Make sure that no repetition can match what follows it.`

/** A part that is always empty, in one more than this number of ways. */
function emptyIn(ways: number): string {
  return ways === 0 ? '(?:^)?' : `(?:${emptyIn(ways - 1)})?`
}

test.each([
  ['(', syntax],
  ['a**', syntax],
  ['.*{2}', syntax],
  ['(?=a)', syntax],
  ['(?<!a)b', syntax],
  ['(a)\\1', syntax],
  ['[z-a]', syntax],
  ['[]', syntax],
  ['(?P<old>a)', syntax],
  ['(?i:a)', syntax],
  ['[\\B]', syntax],
  ['\\Bbeta', innerBoundary],
  ['a\\\\\\Bb', innerBoundary],
  ['^(?:a|\\B)+$', innerBoundary],
  ['a'.repeat(257), 'must have at most 256 characters.'],
  ['a{257}', size],
  ['(?:a{16}){17}', size],
  ['(?:(?:(?:^){100}){100}){100}', size],
  ['(a*)*b', 'must not repeat a part that can be empty: (a*)*.'],
  ['x(?:(?:a?){20})+', 'must not repeat a part that can be empty: (?:(?:a?){20})+.'],
  ['(?:^)*a', 'must not repeat a part that can be empty: (?:^)*.'],
  ['(a+)+', slow('a+')],
  ['(a+)+b', slow('a+')],
  ['^(a+)+$', slowFromTheStart('a+')],
  ['^(?:a|a)*$', slowFromTheStart('(?:a|a)*')],
  ['^(?:a|aa)+$', slowFromTheStart('(?:a|aa)+')],
  ['\\d+-x', slow('\\d+')],
  ['\\s+$', slow('\\s+')],
  ['.*.*foo.*bar', slow('.*')],
  ['^.*foo.*bar', slowFromTheStart('.*')],
  ['^\\d+\\d+$', slowFromTheStart('\\d+')],
  ['^.+@.+$|x', slowInAnAlternative('.+')],
  ['^a+|b+c', slowInAnAlternative('b+')],
  // The first alternative is tried to the end, although the second one matches at once.
  ['^(?:[ab]*[ab]*c|a)', slowFromTheStart('[ab]*')],
  ['^(?:a(?:[ab]*c)?)*', slowFromTheStart('[ab]*')],
  ['\\w+@example\\.com', slow('\\w+')],
  ['[a-z]+@example\\.com', slow('[a-z]+')],
  // A letter in other versions of Unicode.
  ['^(?:\\p{L}|\u088f)*$', slowFromTheStart('(?:\\p{L}|\u088f)*')],
  ['^\\p{L}*\u00e9*$', slowFromTheStart('\u00e9*')],
  ['a[ab]{20}c', choices],
  // More ways than a number can hold.
  [`(?:${emptyIn(22)}){110}aa*a*a*b`, choices],
  [`(?:${emptyIn(22)}){110}a(?:a|a)*b`, choices],
  [`${'a?'.repeat(30)}b`, choices],
  [`${'(a|a)'.repeat(20)}b`, choices],
  [`${'a{0,99}'.repeat(2)}b`, choices],
  [`^(?:${'|'.repeat(15)}){9}b`, choices],
])('%s is refused: %s', (pattern, fault) => expect(patternFault(pattern, true)).toBe(fault))

test.each([
  ['^[a-z]+k', undefined, undefined],
  ['^[A-Z]+[a-z]+$', undefined, slowFromTheStart('[a-z]+')],
  ['^[^K]+\u212a', undefined, undefined],
  // In Unicode 16, this letter became the lowercase form of a new one.
  ['^(?:\u019b|\ua7dc)*$', undefined, slowFromTheStart('(?:\u019b|\ua7dc)*')],
  ['^s*\u017f*$', undefined, slowFromTheStart('\u017f*')],
])('the check of %s depends on case sensitivity', (pattern, caseSensitive, caseInsensitive) => {
  expect(patternFault(pattern, true)).toBe(caseSensitive)
  expect(patternFault(pattern, false)).toBe(caseInsensitive)
})
