import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Change, changeSchema } from './changes.ts'
import { noContent, type VariationContent } from './content.ts'
import { handOff } from './hand-off.ts'
import { codeBlock, codeSpan, escapedText } from './markdown.ts'
import type { Page } from './pages.ts'

const change = (fields: object): Change => changeSchema.parse({ id: 'c1', selector: 'h1', ...fields })
const pricing: Page = {
  key: 'pricing',
  name: 'Pricing',
  url: 'https://shop.example/pricing',
  conditions: { attribute: 'page.path', operator: 'equals', value: '/pricing' },
}
const of = (content: Partial<VariationContent>, more: { name?: string; pages?: Page[] } = {}) =>
  handOff({
    experiment: { name: more.name ?? 'Price in the headline' },
    variation: { key: 'price', name: 'With price' },
    source: 'FINAL',
    pages: more.pages ?? [pricing],
    content: { ...noContent, ...content },
  })

test.each<[object, string, string | null]>([
  [
    { type: 'TEXT', page: 'pricing', value: 'From € 9 a month', was: 'Our plans' },
    'On Pricing, change the text of h1 from “Our plans” to “From € 9 a month”.',
    'From € 9 a month',
  ],
  [{ type: 'TEXT', value: 'a\n b' }, 'On every page, change the text of h1 to “a b”.', 'a\n b'],
  [
    { type: 'TEXT', value: 'a'.repeat(201) },
    `On every page, change the text of h1 to “${'a'.repeat(200)}…”.`,
    'a'.repeat(201),
  ],
  [{ type: 'HTML', value: '<b>a</b>' }, 'On every page, replace the content of h1 with the HTML of c1.', '<b>a</b>'],
  [
    { type: 'ATTRIBUTE', name: 'href', value: '/b', was: '/a' },
    'On every page, set the attribute href of h1 from “/a” to “/b”.',
    '/b',
  ],
  [
    { type: 'ATTRIBUTE', name: 'title', value: null, was: 'a' },
    'On every page, remove the attribute title of h1.',
    null,
  ],
  [
    { type: 'IMAGE', value: '/b.png', alt: 'A cat', was: '/a.png' },
    'On every page, change the image of h1 from “/a.png” to “/b.png”, with the alternative text “A cat”.',
    '/b.png',
  ],
  [{ type: 'IMAGE', value: '/b.png' }, 'On every page, change the image of h1 to “/b.png”.', '/b.png'],
  [
    { type: 'CLASS', add: ['a', 'b', 'c'], remove: ['d'] },
    'On every page, add the classes a, b and c to h1 and remove the class d from h1.',
    null,
  ],
  [{ type: 'CLASS', add: ['a'] }, 'On every page, add the class a to h1.', null],
  [{ type: 'CLASS', remove: ['a', 'b'] }, 'On every page, remove the classes a and b from h1.', null],
  [
    { type: 'STYLE', value: { color: 'red', margin: '0 1px' } },
    'On every page, set color to red and margin to 0 1px on h1.',
    'color: red; margin: 0 1px',
  ],
  [{ type: 'HIDE' }, 'On every page, hide h1.', null],
  [{ type: 'HIDE', keepSpace: true }, 'On every page, hide h1 and keep its space empty.', null],
  [{ type: 'INSERT', value: 'a', position: 'BEFORE' }, 'On every page, insert the HTML of c1 before h1.', 'a'],
  [{ type: 'INSERT', value: 'a', position: 'AFTER' }, 'On every page, insert the HTML of c1 after h1.', 'a'],
  [
    { type: 'INSERT', value: 'a', position: 'FIRST' },
    'On every page, insert the HTML of c1 at the beginning of h1.',
    'a',
  ],
  [{ type: 'INSERT', value: 'a', position: 'LAST' }, 'On every page, insert the HTML of c1 at the end of h1.', 'a'],
  [{ type: 'MOVE', to: 'main', position: 'BEFORE' }, 'On every page, move h1 before main.', null],
  [{ type: 'MOVE', to: 'main', position: 'LAST' }, 'On every page, move h1 to the end of main.', null],
])('%j is built in like this: %s', (fields, sentence, after) => {
  const { changes, checklist } = of({ changes: [change(fields)] })
  const { page, type, was, selector } = change(fields)
  expect(changes).toEqual([{ id: 'c1', page, type, selector, before: was, after, sentence }])
  expect(checklist).toEqual([sentence])
})

test('a variation is handed over whole', () => {
  const handed = of({
    changes: [
      change({ type: 'TEXT', page: 'pricing', value: 'From € 9', was: 'Our plans' }),
      change({ id: 'c2', type: 'STYLE', selector: 'a.cta', value: { 'background-color': '#0055ff' } }),
      change({ id: 'c3', type: 'HIDE', selector: '.x', page: 'pricing' }),
      change({ id: 'c4', type: 'INSERT', value: '<p class="note">…</p>', position: 'AFTER' }),
      change({ id: 'c5', type: 'HTML', value: '<i>a</i>' }),
    ],
    css: '.hero { min-height: 20rem }',
    js: 'svc.track("x")',
  })
  expect(handed).toMatchObject({
    variationKey: 'price',
    source: 'FINAL',
    pages: [{ key: 'pricing', name: 'Pricing', url: 'https://shop.example/pricing' }],
    html: '<p class="note">…</p>\n<i>a</i>',
    css: 'a.cta { background-color: #0055ff }\n/* Pricing */\n.x { display: none }\n.hero { min-height: 20rem }',
    js: 'svc.track("x")',
    redirect: null,
  })
  expect(handed.checklist.slice(-2)).toEqual([
    'Add the CSS of the variation.',
    'Build in what the code of the variation does.',
  ])
  expect(handed.markdown).toBe(`# Price in the headline: build in “With price”

This is what ran in the experiment.

- [ ] On Pricing, change the text of \`h1\` from \`Our plans\` to \`From € 9\`.
- [ ] On every page, set \`background-color\` to \`#0055ff\` on \`a.cta\`.
- [ ] On Pricing, hide \`.x\`.
- [ ] On every page, insert the HTML of \`c4\` after \`h1\`.
- [ ] On every page, replace the content of \`h1\` with the HTML of \`c5\`.
- [ ] Add the CSS of the variation.
- [ ] Build in what the code of the variation does.

## Pages

- Pricing: \`https://shop.example/pricing\`

## HTML

### c4

\`\`\`html
<p class="note">…</p>
\`\`\`

### c5

\`\`\`html
<i>a</i>
\`\`\`

## CSS

\`\`\`css
a.cta { background-color: #0055ff }
/* Pricing */
.x { display: none }
.hero { min-height: 20rem }
\`\`\`

## JavaScript

\`\`\`js
svc.track("x")
\`\`\`
`)
})

test('a redirect is a step', () => {
  const redirect = { url: 'https://shop.example/b', keepQuery: true }
  expect(of({ redirect }).checklist).toEqual([
    'Send visitors to https://shop.example/b, with the query and the hash of their address.',
  ])
  expect(of({ redirect: { ...redirect, keepQuery: false } }).markdown).toContain(
    '- [ ] Send visitors to `https://shop.example/b`.\n',
  )
})

test('a variation that changes nothing says so', () => {
  const handed = of({}, { pages: [] })
  expect(handed).toMatchObject({ changes: [], html: null, css: null, js: null, checklist: [] })
  expect(handed.markdown).toContain('This variation changes nothing.')
})

test('the name of a page cannot end the comment that it is in', () => {
  const page = { ...pricing, name: 'a */ body { display: none } /*' }
  expect(of({ changes: [change({ type: 'HIDE', page: 'pricing' })] }, { pages: [page] }).css).toBe(
    '/* a * / body { display: none } /* */\nh1 { display: none }',
  )
})

test.each([
  ['plain text, 10% off (today)', 'plain text, 10% off (today)'],
  ['# a', '\\# a'],
  ['- a', '\\- a'],
  ['1. a', '1\\. a'],
  ['2026) a', '2026\\) a'],
  ['---', '\\---'],
  ['[a](javascript:b)', '\\[a\\](javascript:b)'],
  ['![a](b)', '\\!\\[a\\](b)'],
  ['<img src=x onerror=a>', '\\<img src=x onerror=a\\>'],
  ['a\n\n# b', 'a \\# b'],
  ['`a` *b* _c_ ~d~ |e| \\', '\\`a\\` \\*b\\* \\_c\\_ \\~d\\~ \\|e\\| \\\\'],
  ['https://evil.example', 'https\\://evil.example'],
  ['&lt;', '\\&lt;'],
])('%j stays text in Markdown', (text, markdown) => expect(escapedText(text)).toBe(markdown))

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['`', '`` ` ``'],
  ['a``\nb`', '``` a`` b` ```'],
  ['', '(empty)'],
])('%j stays code in Markdown', (text, markdown) => expect(codeSpan(text)).toBe(markdown))

test('hostile text cannot leave its place in the document', () => {
  const hostile = fc
    .array(
      fc.constantFrom('`', '```', '\n', '# ', '- [ ] ', '<script>', '](x)', '![', '\r', 'a', '~~~', '|', '*/', '\\'),
      { maxLength: 10 },
    )
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, text, css) => {
      const page = { ...pricing, name, url: text }
      const content = {
        changes: [
          change({ type: 'TEXT', page: 'pricing', value: text, was: name }),
          change({ type: 'HTML', value: 'a' }),
        ],
        css: `x${css}`,
        js: css,
      }
      const lines = of(content, { name, pages: [page] }).markdown.split('\n')
      const open: string[] = []
      const outside = lines.filter((line) => {
        const [fence] = /^`{3,}/.exec(line) ?? []
        if (open.length === 0 && fence !== undefined) return open.push(fence) === 0
        if (open.length > 0 && line === open[0]) return open.pop() === ''
        return open.length === 0
      })
      expect(open).toEqual([])
      const headings = outside.filter((line) => line.startsWith('#')).map((line) => line.split(' ')[1])
      expect(headings.slice(1)).toEqual(['Pages', 'HTML', 'c1', 'CSS', 'JavaScript'])
      expect(outside.filter((line) => line.startsWith('- [ ] '))).toHaveLength(4)
      // What is left without code has no HTML, link or picture.
      const plain = outside.map((line) => line.replace(/\\[!-/:-@[-`{-~]|(`+)(?!`).*?(?<!`)\1(?!`)/g, ''))
      expect(plain.join('\n')).not.toMatch(/<|\]\(|!\[|`/)
    }),
    { numRuns: 500 },
  )
})

test('a block of code ends only at its own fence', () => {
  expect(codeBlock('js', 'a\n```\n````\nb\n\n')).toBe('`````js\na\n```\n````\nb\n`````')
})
