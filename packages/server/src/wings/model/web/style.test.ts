import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cssFault, propertyFault, styleAttributeFault, styleValueFault } from './style.ts'

test.each(['color', 'background-color', '-webkit-line-clamp', '--My_x', '--1'])('a property can be %j', (property) =>
  expect(propertyFault(property)).toBeUndefined(),
)

test.each([
  ['backgroundColor', 'Did you mean background-color?'],
  ['WebkitTransform', 'Did you mean -webkit-transform?'],
  ['behavior', 'can run code'],
  ['-moz-binding', 'can run code'],
  ['a b', 'must be the name of a CSS property'],
  ['color:red;x', 'must be the name of a CSS property'],
  ['', 'must be the name of a CSS property'],
  [`--${'a'.repeat(100)}`, 'at most 100 characters'],
])('the property %j is refused: %s', (property, rule) => expect(propertyFault(property)).toContain(rule))

test.each([
  'red',
  '0 0 4px rgb(0 0 0 / 20%)',
  'var(--x, calc(1px + (2px * 3)))',
  '"\\201C" "’"',
  '[a] 1fr [b]',
  'url(a.png)',
  'url("/a.png") no-repeat',
  'URL( https://cdn.example/a.png )',
  'url(data:image/png;base64,AAAA)',
  'url("data:image/svg+xml;utf8,%3Csvg%3E")',
  'image-set("a.avif" type("image/avif"), "a.png" 1x)',
])('a value can be %j', (value) => expect(styleValueFault(value)).toBeUndefined())

test.each([
  ['', 'must not be empty'],
  ['a'.repeat(1001), 'at most 1000 characters'],
  ['red; x: y', 'must not contain ;'],
  ['red}', '} closes nothing'],
  ['{}', 'must not contain {'],
  ['"}"', 'in quotes'],
  ['";"', 'in quotes'],
  ['red !important', 'Svc adds !important'],
  ['red /* x */', 'comment'],
  ['"abc', 'a string does not end'],
  ['calc(1px', '( is not closed'],
  ['(]', '] closes nothing'],
  ['url(a.png', 'url( does not end'],
  ['red\n', 'control characters'],
  ['expression(alert(1))', 'can run code'],
  ['EXPRESSION (x)', undefined],
  ['e\\78pression(x)', 'backslash'],
  ['u\\72l(javascript:x)', 'backslash'],
  ['\\75 rl(a.png)', 'backslash'],
  ['url(a\\)b)', 'backslashes'],
  ['url(javascript:x)', '“javascript”'],
  ['url("jav\\61script:x")', 'backslashes'],
  ["url( 'vbscript:x' )", '“vbscript”'],
  ['url(data:text/html,x)', '“data”'],
  ['image-set("javascript:x" 1x)', '“javascript”'],
  ['src("javascript:x")', '“javascript”'],
  ['"</style>"', 'must not contain </'],
])('the value %j is refused: %s', (value, rule) => {
  if (rule === undefined) expect(styleValueFault(value)).toBeUndefined()
  else expect(styleValueFault(value)).toContain(rule)
})

test('an accepted value cannot leave its declaration', () => {
  const piece = fc.constantFrom('a', '"', "'", '(', ')', 'url(', '{', '}', ';', '/*', '*/', '\\', '!', ' ', '[', ']')
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const value = pieces.join('')
      if (styleValueFault(value) !== undefined) return
      // Inside of url(), nothing but its bracket ends anything.
      expect(value.replace(/url\([^"')]*\)/g, '').replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '')).not.toMatch(
        /[{};!\\'"]|\/\*/,
      )
      expect(cssFault(`a{x:${value}}`)).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})

test.each([
  'a { b: c }',
  '@media (min-width: 1px) { a[b="}"] { c: url(d) } } /* } */',
  'a{b:"\\""}',
  '.sm\\:a{b:c}',
  "\\'url(/*}]url('x'*/){}",
])('the CSS of a variation can be %j', (css) => expect(cssFault(css)).toBeUndefined())

test.each([
  ['a {\n b: c', '{ is not closed (line 1, column 3)'],
  ['a { }\n}', '} closes nothing (line 2, column 1)'],
  ['/* a', 'a comment does not end (line 1, column 1)'],
  ['a { b: "c\n" }', 'a string does not end (line 1, column 8)'],
  ['a { b: url(c\\)d }', 'a url( does not end'],
  ['\\75rl(/*) }', '} closes nothing (line 1, column 11)'],
  ['a { b: \\75rl(}', 'a url( does not end'],
  ['a{} </style>', 'must not contain </ (line 1, column 5)'],
  ['', 'must not be blank'],
  [' \n', 'must not be blank'],
  ['a\u0000', 'control characters'],
  ['a'.repeat(20_001), 'at most 20000 characters'],
])('the CSS %j is refused: %s', (css, rule) => expect(cssFault(css)).toContain(rule))

test.each(['', 'color: red', 'color:red;;background:url("data:image/png;base64,AA");', 'color: red !important'])(
  'a style attribute can be %j',
  (style) => expect(styleAttributeFault(style)).toBeUndefined(),
)

test.each([
  ['color', 'has no colon'],
  ['color: red; background: url(javascript:x)', 'has the property background, which'],
  ['behavior: url(x)', 'can run code'],
  ['a: "', 'does not end'],
  ['a: b} c {', 'closes nothing'],
])('the style attribute %j is refused: %s', (style, rule) => expect(styleAttributeFault(style)).toContain(rule))
