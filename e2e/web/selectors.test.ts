// What the editor says of elements, in a real document: selectors and the outline of the page.
import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { BrowserContext, Page } from '@playwright/test'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Candidate } from '../../packages/web/src/bridge/editor/messages.ts'
import { newVisitor } from './page.ts'

interface InPage {
  candidatesOf(element: Element, nowMs: () => number): Candidate[]
  isGenerated(name: string): boolean
  outlineOf(document: Document, nowMs: () => number, maxBytes?: number): string
}

let context: BrowserContext
let page: Page
beforeAll(async () => {
  context = await newVisitor()
  page = await context.newPage()
  await page.goto('about:blank')
  const bridge = new URL('../../packages/web/src/bridge/editor/', import.meta.url)
  const parts = [
    scopeOf(createRequire(import.meta.url).resolve('@medv/finder'), ['finder']),
    scopeOf(new URL('candidates.ts', bridge), ['candidatesOf', 'isGenerated', 'shortSelectorOf']),
    scopeOf(new URL('outline.ts', bridge), ['outlineOf']),
  ]
  await page.evaluate(
    `(() => { ${parts.join('\n')}; Object.assign(globalThis, { candidatesOf, isGenerated, outlineOf }) })()`,
  )
})
afterAll(() => context.close())

/** The code of a file, without types, as a scope of its own that gives these names to what comes after it. */
function scopeOf(file: string | URL, names: readonly string[]): string {
  const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    .replace(/^import .*$/gm, '')
    .replace(/^export /gm, '')
  return `const { ${names.join(', ')} } = (() => { ${code}\nreturn { ${names.join(', ')} } })()`
}

const candidatesFor = (body: string, wanted: string): Promise<Candidate[]> =>
  page.evaluate(
    ({ body, wanted }) => {
      document.body.innerHTML = body
      const { candidatesOf } = globalThis as unknown as InPage
      return candidatesOf(document.querySelector(wanted)!, () => performance.now())
    },
    { body, wanted },
  )

test.each<[what: string, body: string, wanted: string, best: string]>([
  ['an id', '<h1 id="title">A</h1><h1>B</h1>', 'h1', '#title'],
  ['a name for tests', '<p data-testid="note">A</p><p>B</p>', 'p', '[data-testid="note"]'],
  ['an element that is there once', '<main><h1>A</h1></main>', 'h1', 'h1'],
  ['a class', '<p class="note">A</p><p>B</p>', 'p', 'p.note'],
  ['a parent with a name', '<div id="hero"><p>A</p></div><p>B</p>', '#hero p', '#hero p'],
  ['a link by its address', '<a href="/a">A</a><a href="/b">B</a>', '[href="/b"]', 'a[href="/b"]'],
  ['no name of a build tool', '<p class="css-1x2y3z sc-bdVaJa">A</p><p>B</p>', 'p', 'body > p:nth-of-type(1)'],
  ['no id of a framework', '<p id=":r1:">A</p><p id="radix-12">B</p>', 'p', 'body > p:nth-of-type(1)'],
  [
    'the way from the nearest element with a name, where it must count',
    '<p>A</p><section class="cards"><div><b>A</b></div><div><b>B</b></div></section><b>C</b><div></div>',
    'div:nth-of-type(2) b',
    'section.cards > div:nth-of-type(2) > b',
  ],
])('the best selector takes %s', async (_what, body, wanted, best) => {
  const [first] = await candidatesFor(body, wanted)
  expect(first).toMatchObject({ matches: 1 })
  expect(first!.selector.replace(/^html > /, '')).toBe(best)
})

test('a selector that finds similar elements is among the candidates', async () => {
  const found = await candidatesFor('<ul id="plans"><li class="plan">A</li><li class="plan">B</li></ul>', 'li')
  expect(found.some(({ matches }) => matches === 2)).toBe(true)
  expect(found[0]!.matches).toBe(1)
  const cards = '<p class="card"><b>A</b></p><p class="card"><b>B</b></p><b>C</b>'
  const ofCards = await candidatesFor(cards, 'b')
  expect(ofCards.slice(1)).toEqual([
    { selector: 'b', matches: 3 },
    { selector: 'p.card b', matches: 2 },
  ])
})

test('names of build tools and frameworks are known, and names of people are not taken for them', async () => {
  const all = await page.evaluate(
    (names) => names.filter((name) => (globalThis as unknown as InPage).isGenerated(name)),
    [
      ...['css-1x2y3z', 'sc-bdVaJa', 'jss123', ':r1:', 'radix-1', 'ember1234', 'Button_root__a1B2c', 'md:w-[32px]'],
      ...['hero', 'price-card', 'col-md-6', 'is-active', 'productTitle', 'navbar-brand', 'h1', 'step-2', 'btn-primary'],
    ],
  )
  expect(all).toEqual([
    'css-1x2y3z',
    'sc-bdVaJa',
    'jss123',
    ':r1:',
    'radix-1',
    'ember1234',
    'Button_root__a1B2c',
    'md:w-[32px]',
  ])
})

const name = fc.constantFrom('hero', 'note', 'css-1x2y3z', 'a"b', 'ü', '1st', '')
interface Tree {
  tag: string
  id: string
  name: string
  text: string
  children: Tree[]
}
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    tag: fc.constantFrom('div', 'p', 'section', 'a', 'button', 'h2', 'input', 'textarea', 'x-card'),
    id: name,
    name,
    text: fc.string({ unit: 'grapheme', maxLength: 30 }),
    children: fc.oneof({ depthSize: 'small' }, fc.constant<Tree[]>([]), fc.array(tie('tree'), { maxLength: 4 })),
  }),
}))

test('whatever the page, each of at most three candidates finds its element, and its matches are right', async () => {
  const trees = fc.sample(fc.array(tree, { minLength: 1, maxLength: 4 }), 60)
  const faults = await page.evaluate((trees) => {
    const { candidatesOf } = globalThis as unknown as InPage
    const build = ({ tag, id, name, text, children }: Tree): Element => {
      const element = document.createElement(tag)
      if (id) element.id = id
      if (name) element.setAttribute('class', name)
      element.append(text, ...children.map(build))
      return element
    }
    const faults: unknown[] = []
    for (const each of trees) {
      document.body.replaceChildren(...each.map(build))
      for (const element of document.body.querySelectorAll('*')) {
        const found = candidatesOf(element, () => performance.now())
        if (found.length < 1 || found.length > 3) faults.push(found)
        for (const { selector, matches } of found) {
          const all = [...document.querySelectorAll(selector)]
          if (all.length !== matches || !all.includes(element)) faults.push([selector, matches, element.outerHTML])
        }
      }
    }
    return faults
  }, trees)
  expect(faults).toEqual([])
})

test('an outline has texts, levels and selectors, and no value of a form', async () => {
  const outline = await page.evaluate(() => {
    document.title = 'Shop'
    document.body.innerHTML = `<main><h1>Our <b>plans</b></h1><p hidden>Gone</p><script>secret()</script>
      <form><label>Name <input name="person"></label><textarea name="wish">secret</textarea>
      <div contenteditable>secret</div><select name="size"><option>secret</option></select></form></main>`
    document.querySelector('input')!.value = 'secret'
    return (globalThis as unknown as InPage).outlineOf(document, () => performance.now())
  })
  expect(outline).toBe(`Shop
main → main (1 match)
  h1 "Our" → h1 (1 match)
    b "plans" → b (1 match)
  form → form (1 match)
    label "Name" → label (1 match)
      input "person" → input[name="person"] (1 match)
    textarea "wish" → textarea[name="wish"] (1 match)
    select "size" → select[name="size"] (1 match)
`)
})

test('whatever the page, an outline has at most 20,000 bytes, and never what was typed', async () => {
  const trees = fc.sample(fc.array(tree, { minLength: 1, maxLength: 4 }), 12)
  const outlines = await page.evaluate((trees) => {
    const build = ({ tag, id, name, text, children }: Tree): Element => {
      const element = document.createElement(tag)
      if (id) element.id = id
      if (name) element.setAttribute('class', name)
      if ('value' in element) element.value = 'typed by a visitor'
      else element.append(text, ...children.map(build))
      return element
    }
    return trees.map((each, nth) => {
      const copies = Array.from({ length: nth % 3 === 0 ? 300 : 1 }, () => each.map(build)).flat()
      document.body.replaceChildren(...copies)
      const text = (globalThis as unknown as InPage).outlineOf(document, () => performance.now())
      return { bytes: new TextEncoder().encode(text).length, isTold: text.includes('typed by') }
    })
  }, trees)
  for (const { bytes, isTold } of outlines) {
    expect(bytes).toBeLessThanOrEqual(20_000)
    expect(isTold).toBe(false)
  }
})

test('an outline that is too long leaves out the deepest levels, and says so', async () => {
  const outline = await page.evaluate(() => {
    document.body.innerHTML = `<section id="top">${'<p>Words of a paragraph</p>'.repeat(600)}</section>`
    return (globalThis as unknown as InPage).outlineOf(document, () => performance.now())
  })
  expect(outline).toContain('section → #top (1 match)')
  expect(outline).toContain('(600 elements below level 1 are left out, because the outline would be too long)')
})
