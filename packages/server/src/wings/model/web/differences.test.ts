import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Change, changeSchema } from './changes.ts'
import { firstWebContent, noContent, type VariationContent, type WebContent } from './content.ts'
import { webDifferences } from './differences.ts'
import type { Page } from './pages.ts'

const change = (id: string, fields: object = {}): Change =>
  changeSchema.parse({ id, selector: 'h1', type: 'TEXT', value: id, ...fields })
const page = (key: string, path = `/${key}`): Page => ({
  key,
  name: key,
  url: null,
  conditions: { attribute: 'page.path', operator: 'equals', value: path },
})
const content = (more: Partial<WebContent>): WebContent => ({ ...firstWebContent, ...more })
const variation = (more: Partial<VariationContent>): WebContent =>
  content({ variations: { v1: { ...noContent, ...more } } })
const keyOf = (id: string) => (id === 'v1' ? 'price' : id)
const between = (from: WebContent, to: WebContent) => webDifferences(from, to, keyOf)

const { key: _key, ...pricing } = page('pricing')
const { id: _id, ...headline } = change('c1')
const redirect = { url: 'https://shop.example/b', keepQuery: true }

test.each<[string, WebContent, WebContent, object[]]>([
  ['nothing', content({ pages: [page('a')] }), content({ pages: [page('a')] }), []],
  [
    'a new page',
    content({}),
    content({ pages: [page('pricing')] }),
    [{ path: 'pages.pricing', from: null, to: pricing }],
  ],
  [
    'a deleted page',
    content({ pages: [page('pricing')] }),
    content({}),
    [{ path: 'pages.pricing', from: pricing, to: null }],
  ],
  [
    'other conditions of a page',
    content({ pages: [page('pricing')] }),
    content({ pages: [page('pricing', '/plans')] }),
    [{ path: 'pages.pricing.conditions', from: pricing.conditions, to: page('pricing', '/plans').conditions }],
  ],
  [
    'another order of pages',
    content({ pages: [page('a'), page('b')] }),
    content({ pages: [page('b'), page('a')] }),
    [{ path: 'pageOrder', from: ['a', 'b'], to: ['b', 'a'] }],
  ],
  [
    'another activation',
    content({}),
    content({ activation: 'SEEN', activationSelector: '.x', applyAt: 'EARLY' }),
    [
      { path: 'activation', from: 'PAGE', to: 'SEEN' },
      { path: 'activationSelector', from: null, to: '.x' },
      { path: 'applyAt', from: 'AUTO', to: 'EARLY' },
    ],
  ],
  [
    'a new change of a new variation',
    content({}),
    variation({ changes: [change('c1')] }),
    [{ path: 'variations.price.changes.c1', from: null, to: headline }],
  ],
  [
    'a field of a change',
    variation({ changes: [change('c1')] }),
    variation({ changes: [change('c1', { value: 'b', page: 'pricing' })] }),
    [
      { path: 'variations.price.changes.c1.page', from: null, to: 'pricing' },
      { path: 'variations.price.changes.c1.value', from: 'c1', to: 'b' },
    ],
  ],
  [
    'a change of another type',
    variation({ changes: [change('c1')] }),
    variation({ changes: [change('c1', { type: 'HTML', value: 'c1' })] }),
    [{ path: 'variations.price.changes.c1', from: headline, to: { ...headline, type: 'HTML' } }],
  ],
  [
    'another order of changes, and a new one between them',
    variation({ changes: [change('a'), change('b')] }),
    variation({ changes: [change('b'), change('c'), change('a')] }),
    [
      { path: 'variations.price.changes.c', from: null, to: expect.objectContaining({ value: 'c' }) },
      { path: 'variations.price.changeOrder', from: ['a', 'b'], to: ['b', 'c', 'a'] },
    ],
  ],
  [
    'CSS, code and a redirect; of code only that it changed',
    variation({ js: 'secret()' }),
    variation({ css: 'a{}', js: 'other()', redirect }),
    [
      { path: 'variations.price.css', from: null, to: 'a{}' },
      { path: 'variations.price.js', from: null, to: null },
      { path: 'variations.price.redirect', from: null, to: redirect },
    ],
  ],
  ['an empty variation that was left out', content({}), variation({}), []],
])('%s', (_what, from, to, differences) => expect(between(from, to)).toEqual(differences))

const ids = ['a', 'b', 'c']
const anyChange = (id: string) =>
  fc
    .record({
      value: fc.constantFrom('x', 'y'),
      page: fc.constantFrom(null, 'p'),
      type: fc.constantFrom('TEXT', 'HTML'),
    })
    .map((fields) => change(id, fields))
const anyChanges = fc.shuffledSubarray(ids).chain((some) => fc.tuple(...some.map(anyChange)))
const anyContent = fc.record({
  pages: fc.shuffledSubarray(ids).map((keys) => keys.map((key) => page(key))),
  activation: fc.constantFrom('PAGE' as const, 'CALL' as const),
  activationSelector: fc.constant(null),
  applyAt: fc.constantFrom('AUTO' as const, 'EARLY' as const),
  variations: fc.dictionary(
    fc.constantFrom('v1', 'v2'),
    fc.record({
      changes: anyChanges,
      css: fc.constantFrom(null, 'a{}'),
      js: fc.constantFrom(null, 'a', 'b'),
      redirect: fc.constantFrom(null, redirect),
    }),
  ),
})
const withAll = (of: WebContent): WebContent => ({
  ...of,
  variations: { v1: noContent, v2: noContent, ...of.variations },
})

test('two contents have no difference exactly if they are the same, and the way back has the same paths', () => {
  fc.assert(
    fc.property(anyContent, anyContent, (from, to) => {
      expect(between(from, from)).toEqual([])
      const differences = between(from, to)
      expect(differences.length === 0).toBe(isDeepStrictEqual(withAll(from), withAll(to)))
      const paths = (list: { path: string }[]) => list.map(({ path }) => path).sort()
      expect(paths(between(to, from))).toEqual(paths(differences))
      expect(new Set(paths(differences)).size).toBe(differences.length)
    }),
  )
})
