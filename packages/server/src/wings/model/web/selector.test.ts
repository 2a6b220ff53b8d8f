import { parse, stringify } from 'css-what'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectorFault, subjectsOf } from './selector.ts'

test.each([
  'h1',
  '*',
  '#a#b.c',
  'main > a.cta[href="/sign-up"]:not(.is-small, #x)',
  'a:hover',
  'li:nth-child(2n + 1) ~ li:last-child',
  'section:has(> img)',
  ':is(h1, h2) + p',
  '[data-x="1"]',
  '[lang=nl]',
  '[type="a" i]',
  '[title="{;}"]',
  '.sm\\:flex',
  '#\\31 a',
  'my-card',
  '.größe',
  'p:lang(nl)',
])('a selector can be %j', (selector) => expect(selectorFault(selector)).toBeUndefined())

test.each([
  ['', 'must not be empty'],
  [' h1', 'begin or end with a space'],
  [`.${'a'.repeat(500)}`, 'at most 500 characters'],
  ['h1::before', 'pseudo-element ::before'],
  ['h1:first-line', 'pseudo-element ::first-line'],
  ['div >', 'ends with a combinator'],
  ['> div', 'begins with a combinator'],
  ['a,', 'empty sub-selector'],
  ['a,,b', 'empty sub-selector'],
  ['a >> b', 'successive traversals'],
  ['a || b', 'combinator that browsers do not know'],
  ['a < b', '< must be written as \\<'],
  ['ns|a', 'namespace'],
  ['[ns|a]', 'namespace'],
  [':contains(x)', 'browsers do not know :contains'],
  [':not(:foo)', 'browsers do not know :foo'],
  [':host', 'browsers do not know :host'],
  [':not', ':not needs a selector in brackets'],
  ['p:empty()', ':empty takes nothing in brackets'],
  ['a:nth-child(foo)', ':nth-child needs a position'],
  ['.1a', 'cannot begin with a digit'],
  ['#-1', 'cannot begin with a digit'],
  ['[a=1]', 'put the value of the attribute in quotes'],
  ['[href^=/x]', 'put the value of the attribute in quotes'],
  ['[a=]', 'no value after ='],
  ['[a!="b"]', 'browsers do not know !='],
  [')a', 'a bracket is not in its place'],
  ['(a', 'a bracket is not in its place'],
  ['a(b)', 'must be a CSS selector'],
  ['-', 'a name cannot be a single hyphen'],
  ['div > -:hover', 'a name cannot be a single hyphen'],
  [':playing', 'browsers do not know :playing'],
  ['--x:hover', 'no element has the name --x'],
  ['\\31 a', 'no element has the name 1a'],
  ['.sm:x', 'browsers do not know :x'],
  ['a;b', '; must be written as \\;'],
  ['a{}', 'must be a CSS selector'],
  ['a*', '* must be the first part'],
  ['a /* x */ b', 'must be a CSS selector'],
  [':is(a', 'a ( has no )'],
  [':nth-child(2', 'a ( has no )'],
  ['div[', 'it ends where a name must follow'],
  ['a[b', 'a [ has no ]'],
  ['a:', 'a name must follow :'],
  ['#', 'a name must follow #'],
  ['a::', 'a name must follow ::'],
  ['[title="</style>"]', 'it has </'],
  ['[title="a\n} body{display:none} b"]', 'line breaks'],
  ['a\u0000', 'control character'],
  ['.a\\', 'must be a CSS selector'],
  ['[a="b]', 'must be a CSS selector'],
])('%j is refused: %s', (selector, rule) => expect(selectorFault(selector)).toContain(rule))

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const simple = fc.oneof(
  name.map((text) => `.${text}`),
  name.map((text) => `#${text}`),
  fc.tuple(name, fc.stringMatching(/^[a-z0-9 /:;{}.#]{0,10}$/)).map(([text, value]) => `[${text}^="${value}"]`),
  fc.constantFrom(':first-child', ':nth-of-type(3)', ':not(.x)', ':has(img)'),
)
const compound = fc
  .tuple(fc.option(name, { nil: '' }), fc.array(simple, { minLength: 1, maxLength: 3 }))
  .map(([tag, parts]) => tag + parts.join(''))
const complex = fc
  .array(fc.tuple(compound, fc.constantFrom(' ', ' > ', ' + ', ' ~ ')), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([text, combinator], index) => (index === 0 ? text : combinator + text)).join(''))

test('a selector made of correct parts is accepted', () => {
  fc.assert(
    fc.property(complex, (selector) => {
      expect(selectorFault(selector)).toBeUndefined()
    }),
  )
})

test('an accepted selector cannot leave its rule of CSS, and means the same when it is written again', () => {
  const piece = fc.constantFrom(
    'a',
    '.b',
    '#c',
    '[d="',
    '"]',
    "'",
    '{',
    '}',
    ';',
    '/*',
    '*/',
    '\\',
    '\n',
    '>',
    ',',
    ':not(',
    ')',
    '::x',
    '<',
    '@',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const selector = pieces.join('')
      if (selectorFault(selector) !== undefined) return
      expect(selector.replace(/\\./g, '').replace(/"[^"]*"|'[^']*'/g, '')).not.toMatch(/[{};@\n]|\/\*/)
      // The library writes escaped line breaks as they are.
      if (!selector.includes('\\')) expect(parse(stringify(parse(selector)))).toEqual(parse(selector))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['div script', ['script']],
  ['script + div', ['div']],
  ['h1, SCRIPT.x', ['h1', 'script']],
  [':is(a, iframe)[src]', ['a', 'iframe']],
  ['main, :root.dark', ['main', 'html']],
  ['.x', []],
])('%j finds %j', (selector, names) => expect(subjectsOf(selector)).toEqual(names))
