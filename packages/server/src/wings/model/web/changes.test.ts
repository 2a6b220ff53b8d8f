import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { issueTexts } from '../../../platform/issue-text.ts'
import { changeSchema, changesBody, changesBodyOf, maxChanges } from './changes.ts'

const base = { id: 'c1', selector: '.x' }
const filled = { ...base, page: null, was: null }

test.each([
  [{ type: 'TEXT', value: '' }, {}],
  [{ type: 'TEXT', value: 'a'.repeat(5000), was: 'b', page: 'pricing' }, {}],
  [{ type: 'HTML', value: '<b>a</b>' }, {}],
  [{ type: 'ATTRIBUTE', name: 'href', value: '/a' }, {}],
  [{ type: 'ATTRIBUTE', name: 'aria-label', value: null }, {}],
  [{ type: 'IMAGE', value: 'data:image/png;base64,AA' }, { alt: null }],
  [{ type: 'IMAGE', value: '/a.png', alt: '' }, {}],
  [{ type: 'CLASS', add: ['md:flex'] }, { remove: [] }],
  [{ type: 'STYLE', value: { color: 'red', '--x': '1px' } }, {}],
  [{ type: 'HIDE' }, { keepSpace: false }],
  [{ type: 'INSERT', value: 'a', position: 'BEFORE' }, {}],
  [{ type: 'MOVE', to: 'main', position: 'LAST' }, {}],
  [{ type: 'MOVE', to: 'body', position: 'LAST', selector: 'body > p' }, {}],
  [{ type: 'INSERT', value: 'a', position: 'FIRST', selector: 'body' }, {}],
  [{ type: 'ATTRIBUTE', name: 'values', value: '0; 1' }, {}],
])('a change can be %j', (change, defaults) =>
  expect(changeSchema.parse({ ...base, ...change })).toEqual({ ...filled, ...defaults, ...change }),
)

test.each<[object, string, string]>([
  [{ type: 'TEXT' }, 'value', ''],
  [{ type: 'TEXT', value: 'a'.repeat(5001) }, 'value', '5000'],
  [{ type: 'TEXT', value: 'a\u0000' }, 'value', 'control characters'],
  [{ type: 'TEXT', value: '\ud800' }, 'value', 'half of a character'],
  [{ type: 'TEXT', value: 'a', was: 'a'.repeat(5001) }, 'was', '5000'],
  [{ type: 'TEXT', value: 'a', id: 'a.b' }, 'id', 'letters, digits'],
  [{ type: 'TEXT', value: 'a', id: 'a'.repeat(65) }, 'id', '1 to 64'],
  [{ type: 'TEXT', value: 'a', selector: 'a::after' }, 'selector', 'pseudo-element'],
  [{ type: 'TEXT', value: 'a', selector: 'div > script' }, 'selector', 'must not find script'],
  [{ type: 'HTML', value: 'a', selector: 'iframe' }, 'selector', 'must not find iframe'],
  [{ type: 'HTML', value: 'a', selector: 'main, html > body.x' }, 'selector', 'must not find body'],
  [{ type: 'HTML', value: '<p>' }, 'value', 'no </p>'],
  [{ type: 'HTML', value: '<script></script>' }, 'value', 'must not contain <script>'],
  [{ type: 'ATTRIBUTE', name: 'onclick', value: 'a' }, 'name', 'run code'],
  [{ type: 'ATTRIBUTE', name: 'OnClick', value: null }, 'name', 'run code'],
  [{ type: 'ATTRIBUTE', name: 'srcdoc', value: 'a' }, 'name', 'whole page'],
  [{ type: 'ATTRIBUTE', name: 'a b', value: 'a' }, 'name', 'name of an attribute'],
  [{ type: 'ATTRIBUTE', name: 'src', value: 'a', selector: 'script' }, 'selector', 'must not find script'],
  [{ type: 'ATTRIBUTE', name: 'HREF', value: 'javascript:a' }, 'value', '“javascript”'],
  [{ type: 'ATTRIBUTE', name: 'xlink:href', value: 'javascript:a' }, 'value', '“javascript”'],
  [{ type: 'ATTRIBUTE', name: 'srcset', value: 'a 1x, javascript:b 2x' }, 'value', '“javascript”'],
  [{ type: 'ATTRIBUTE', name: 'style', value: 'a: url(javascript:b)' }, 'value', '“javascript”'],
  [{ type: 'ATTRIBUTE', name: 'data-x', value: 'java\nscript:a' }, 'value', 'can run code'],
  [{ type: 'ATTRIBUTE', name: 'values', value: '#a; java\tscript:a' }, 'value', '“java script”'],
  [{ type: 'ATTRIBUTE', name: 'attributeName', value: 'href' }, 'name', 'what an animation changes'],
  [{ type: 'IMAGE', value: '' }, 'value', ''],
  [{ type: 'IMAGE', value: 'javascript:a' }, 'value', '“javascript”'],
  [{ type: 'IMAGE', value: 'data:text/html,a' }, 'value', '“data”'],
  [{ type: 'CLASS' }, 'add', 'because remove is empty too'],
  [{ type: 'CLASS', add: ['a b'] }, 'add.0', 'without spaces'],
  [{ type: 'CLASS', add: ['a'], remove: ['a'] }, 'remove', 'a class that add names: a'],
  [{ type: 'STYLE', value: {} }, 'value', 'at least one property'],
  [{ type: 'STYLE', value: { backgroundColor: 'red' } }, 'value.backgroundColor', 'background-color?'],
  [{ type: 'STYLE', value: { color: 'red}' } }, 'value.color', 'closes nothing'],
  [{ type: 'STYLE', value: { background: 'url(javascript:a)' } }, 'value.background', '“javascript”'],
  [{ type: 'HIDE', keepSpace: 1 }, 'keepSpace', ''],
  [{ type: 'INSERT', value: '', position: 'LAST' }, 'value', 'must not be empty'],
  [{ type: 'INSERT', value: 'a', position: 'INSIDE' }, 'position', ''],
  [{ type: 'INSERT', value: 'a', position: 'AFTER', selector: 'body' }, 'position', 'must be FIRST or LAST'],
  [{ type: 'MOVE', to: 'body', position: 'BEFORE' }, 'position', 'must be FIRST or LAST'],
  [{ type: 'MOVE', to: 'main', position: 'LAST', selector: ':is(body, p)' }, 'selector', 'must not find body'],
  [{ type: 'MOVE', to: 'a::before', position: 'LAST' }, 'to', 'pseudo-element'],
  [{ type: 'MOVE', to: '.x', position: 'LAST' }, 'to', 'different from selector'],
  [{ type: 'MOVE', to: ':root', position: 'LAST' }, 'to', 'must not find html'],
  [{ type: 'MOVE', to: 'main, HTML.wide', position: 'BEFORE' }, 'to', 'must not find html'],
  [{ type: 'MOVE', to: 'head', position: 'FIRST' }, 'to', 'must not find head'],
  [{ type: 'TEXT', selector: ':root', value: 'a' }, 'selector', 'must not find html'],
  [{ type: 'SCRIPT' }, 'type', ''],
])('%j is refused at %s: %s', (change, path, rule) => {
  const issues = changeSchema.safeParse({ ...base, ...change }).error!.issues
  expect(issues.map((issue) => issue.path.join('.'))).toEqual([path])
  expect(issues[0]!.message).toContain(rule)
})

test('styles, hidden elements, classes and moves can be those of a frame', () => {
  const of = (change: object) => changeSchema.safeParse({ ...base, selector: 'iframe', ...change }).success
  expect(of({ type: 'HIDE' })).toBe(true)
  expect(of({ type: 'MOVE', to: 'main', position: 'LAST' })).toBe(true)
})

test('an answer names every fault, also where other fields and other changes are wrong', () => {
  const body = {
    changes: [
      { id: 'a', type: 'TEXT', selector: 'a::x', value: 1 },
      { id: 'a', type: 'HTML', page: 'gone', selector: 'b', value: '<script></script><p onclick="x">y</p>', more: 1 },
      { id: 'c', type: 'NONE' },
      { id: 'd', type: 'ATTRIBUTE', page: 'gone', selector: '..', name: 'href', value: 'javascript:x' },
      null,
      { id: 'e', type: 'MOVE', selector: 'x', to: 'x', position: 1 },
    ],
    css: 'a {',
    dryRun: 'yes',
  }
  const { issues } = changesBodyOf(['pricing']).safeParse(body).error!
  expect(issues.map(({ path }) => path.join('.')).sort()).toEqual([
    'changes.0.selector',
    'changes.0.value',
    'changes.1',
    'changes.1.id',
    'changes.1.page',
    'changes.1.value',
    'changes.1.value',
    'changes.2.type',
    'changes.3.page',
    'changes.3.selector',
    'changes.3.value',
    'changes.4',
    'changes.5.position',
    'changes.5.to',
    'css',
    'dryRun',
  ])
  const sentences = issueTexts(issues, body, 'The body')
  expect(sentences).toContain('changes[0].value must be a string (got a number).')
  expect(sentences).toContain('changes[5].to must be different from selector.')
  for (const sentence of sentences) expect(sentence).toMatch(/^(?:changes\[\d\]\S*|css|dryRun) (?:must|has|is) .*[.?]$/)
})

const text = { ...base, type: 'TEXT', value: 'a' }

test('a change names a page of the experiment, or acts on all of them', () => {
  const of = (page: unknown, keys: string[]) =>
    changesBodyOf(keys)
      .safeParse({ changes: [{ ...text, page }] })
      .error?.issues.map(({ message }) => message)
  expect(of('pricing', ['home', 'pricing'])).toBeUndefined()
  expect(of(null, [])).toBeUndefined()
  expect(of('gone', ['home', 'pricing'])).toEqual(['must be one of home, pricing, or null.'])
  expect(of('constructor', [])).toEqual(['must be null: the experiment has no pages.'])
})

test(`a variation has at most ${maxChanges} changes`, () => {
  const changes = Array.from({ length: maxChanges + 1 }, (_, number) => ({ ...text, id: `c${number}` }))
  expect(changesBody.safeParse({ changes: changes.slice(1) }).success).toBe(true)
  expect(changesBody.safeParse({ changes }).error!.issues.map(({ path }) => path)).toEqual([['changes']])
})

test('a body of any shape gets an answer, and an accepted one is accepted again as it was saved', () => {
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      for (const body of [
        anything,
        { changes: anything },
        { changes: [anything] },
        { changes: [{ ...text, value: anything }] },
      ]) {
        const read = changesBodyOf(['pricing']).safeParse(body)
        if (read.success) expect(changesBody.parse(read.data)).toEqual(read.data)
      }
    }),
  )
})

describe('docs/web-changes.schema.json', () => {
  const path = new URL('../../../../../../docs/web-changes.schema.json', import.meta.url)
  const printed = JSON.parse(readFileSync(path, 'utf8'))
  const [example] = printed.examples

  test('has an example of every type, which is accepted', () => {
    const types = changeSchema.options.map((option) => option.shape.type.value)
    expect(new Set(example.changes.map(({ type }: { type: string }) => type))).toEqual(new Set(types))
    expect(changesBodyOf(['pricing']).safeParse(example).error).toBeUndefined()
  })

  test('accepts its example by itself, and refuses a change with a field of another type', () => {
    const schema = z.fromJSONSchema(printed)
    expect(schema.safeParse(example).error).toBeUndefined()
    expect(schema.safeParse({ ...example, changes: [{ ...text, position: 'LAST' }] }).success).toBe(false)
    expect(schema.safeParse({ ...example, changes: [{ ...text, type: 'STYLE' }] }).success).toBe(false)
  })
})
