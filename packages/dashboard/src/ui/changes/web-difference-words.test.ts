import { expect, it } from 'vitest'
import { sentenceOf } from './change-words.ts'
import type { WebChange } from './web-change-sentence.ts'
import { webDifferenceWords } from './web-difference-words.ts'

const headline: WebChange = {
  ...{ id: 'c1', page: 'pricing', type: 'TEXT', selector: 'h1', value: 'From € 9 a month', was: 'Our plans' },
}
const names = {
  variations: new Map([['price', 'With price']]),
  pages: new Map([['pricing', 'Pricing']]),
  webChanges: new Map([['price c1', headline]]),
}
const { id: _id, ...fields } = headline

it.each<[string, unknown, unknown, string]>([
  [
    'variations.price.changes.c1',
    null,
    fields,
    'With price, new: On Pricing, change the text of h1 from “Our plans” to “From € 9 a month”.',
  ],
  [
    'variations.price.changes.c1',
    fields,
    null,
    'With price, deleted: On Pricing, change the text of h1 from “Our plans” to “From € 9 a month”.',
  ],
  ['variations.price.changes.c1.value', 'Old', 'New', 'With price, text of h1: Old → New'],
  ['variations.price.changes.c1.selector', 'h1', 'h2', 'With price, text of h1, selector: h1 → h2'],
  ['variations.price.changes.c9.page', null, 'pricing', 'With price, change c9, page: nothing → pricing'],
  [
    'variations.price.changes.css.value',
    { color: 'red' },
    { color: 'blue' },
    'With price, change css: color: red → color: blue',
  ],
  ['variations.a.b.css', null, 'p {}', 'a.b, CSS: nothing → p {}'],
  ['variations.price.js', null, null, 'With price, code: edited'],
  [
    'variations.price.changeOrder',
    ['a', 'b'],
    ['b', 'a'],
    'With price, order: the changes are applied in a different one',
  ],
  [
    'variations.price.redirect',
    null,
    { url: 'https://shop.example/b' },
    'With price, redirect: none → https://shop.example/b',
  ],
  ['pages.pricing', null, { name: 'Pricing' }, 'Page Pricing: new'],
  ['pages.all', null, { name: 'All', conditions: { all: [] } }, 'Page All: new: every page with the tag'],
  ['pages.home', { name: 'Home' }, null, 'Page Home: deleted'],
  [
    'pages.pricing.conditions',
    { attribute: 'page.path', operator: 'equals', value: '/a' },
    { attribute: 'page.path', operator: 'equals', value: '/b' },
    'Page Pricing, where: path is /a → path is /b',
  ],
  [
    'pages.pricing.conditions',
    { attribute: 'page.query.plan', operator: 'equals', value: 'pro' },
    { all: [] },
    'Page Pricing, where: query parameter plan is pro → every page with the tag',
  ],
  ['pages.pricing.conditions', { all: [] }, { any: [] }, 'Page Pricing, where: every page with the tag → no page'],
  ['pages.pricing.url', null, 'https://shop.example', 'Page Pricing, address: nothing → https://shop.example'],
  ['activation', 'PAGE', 'SEEN', 'Visitors count: on the page → when they see an element'],
  ['applyAt', 'AUTO', 'EARLY', 'Changes are applied: when the page is ready for them → at once'],
  ['sticky', false, true, 'Sticky: no → yes'],
])('says what is different at %s', (path, from, to, expected) => {
  expect(sentenceOf(webDifferenceWords({ path, from, to }, names))).toBe(expected)
})
