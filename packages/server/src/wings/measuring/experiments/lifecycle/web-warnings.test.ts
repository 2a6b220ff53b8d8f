import { expect, test } from 'vitest'
import { type Change, changeSchema, firstWebContent, noContent, type WebContent } from '../../../model/web/index.ts'
import { changedSelectors, scriptNotSeen, webWarnings } from './web-warnings.ts'

const tested = [
  { id: 'original', key: 'original' },
  { id: 'price', key: 'price' },
]
const page = (url: string | null, path = '/pricing') => ({
  ...{ key: 'pricing', name: 'Pricing', url },
  conditions: { attribute: 'page.path', operator: 'equals' as const, value: path },
})
const pricing = page('https://shop.example/pricing')
const change = (fields: object): Change => changeSchema.parse({ id: 'c1', selector: '.plans', ...fields })
const redirect = (url: string) => ({ price: { ...noContent, redirect: { url, keepQuery: true } } })
const content = (more: Partial<WebContent>): WebContent => ({ ...firstWebContent, pages: [pricing], ...more })
const nothing = { overlaps: [], cookieDomain: null }

test.each<[string, Partial<WebContent>, string[], string | null]>([
  ['its page is open', {}, ['shop.example'], null],
  ['its page is on another host', {}, ['www.shop.example'], 'on shop.example in'],
  ['one of two hosts is missing', { pages: [pricing, page('https://b.example')] }, ['shop.example'], 'on b.example in'],
  ['no page has an address, and some host is open', { pages: [page(null)] }, ['a.example'], null],
  ['no page has an address', { pages: [page(null)] }, [], 'on any page in'],
  ['SDKs alone read it', { pages: [] }, [], null],
])('a launch warns that the script was not seen where %s', (_what, more, hosts, where) => {
  const found = scriptNotSeen(content(more), tested, hosts)
  expect(found.map(({ code }) => code)).toEqual(where === null ? [] : ['SCRIPT_NOT_SEEN'])
  if (where !== null) expect(found[0]!.message).toContain(where)
})

test.each<[string, Partial<WebContent>, string[]]>([
  [
    'a redirect to its own page',
    { variations: redirect('https://shop.example/pricing?a') },
    ['REDIRECT_TARGET_IS_A_PAGE'],
  ],
  ['a redirect to another page', { variations: redirect('https://shop.example/pricing-b') }, []],
  ['a redirect to a host of the site', { variations: redirect('https://www.shop.example/b') }, []],
  ['a redirect to another site', { variations: redirect('https://other.example/b') }, ['REDIRECT_LEAVES_SITE']],
  ['a redirect that leaves HTTPS', { variations: redirect('http://shop.example/b') }, ['REDIRECT_LEAVES_HTTPS']],
  [
    'a redirect between pages without HTTPS',
    { pages: [page('http://shop.example/pricing')], variations: redirect('HTTP://shop.example/b') },
    [],
  ],
  [
    'a redirect from pages of which one has HTTPS',
    { pages: [page(null), page('http://shop.example/'), pricing], variations: redirect('http://shop.example/b') },
    ['REDIRECT_LEAVES_HTTPS'],
  ],
  [
    'a redirect from a page without an address',
    { pages: [page(null)], variations: redirect('https://a.example/') },
    [],
  ],
])('a launch of %s warns: %j', (_what, more, codes) => {
  expect(webWarnings(content(more), tested, nothing).map(({ code }) => code)).toEqual(codes)
})

test.each<[object, boolean]>([
  [{ type: 'HIDE' }, true],
  [{ type: 'MOVE', to: '.hero', position: 'AFTER' }, true],
  [{ type: 'HTML', value: '<p>a</p>' }, true],
  [{ type: 'STYLE', value: { display: 'none' } }, true],
  [{ type: 'STYLE', value: { visibility: 'hidden' } }, true],
  [{ type: 'STYLE', value: { color: 'red' } }, false],
  [{ type: 'TEXT', value: 'a' }, false],
  [{ type: 'CLASS', add: ['a'] }, false],
  [{ type: 'HIDE', selector: '.other' }, false],
])('the change %j of the element that counts visitors warns: %s', (fields, warns) => {
  const variations = { price: { ...noContent, changes: [change(fields)] } }
  const web = content({ activation: 'SEEN', activationSelector: '.plans', variations })
  expect(webWarnings(web, tested, nothing).map(({ code }) => code)).toEqual(warns ? ['ACTIVATION_CHANGED'] : [])
  expect(webWarnings({ ...web, activation: 'PAGE', activationSelector: null }, tested, nothing)).toEqual([])
})

test.each([
  [false, 'The running experiment x7 (Hero)', 'exclusion group'],
  [true, 'The rolled-out winner of the experiment x7 (Hero)', 'archive its experiment'],
])('an experiment with the same elements is named, with a few of them (rolled out: %s)', (isRolledOut, who, advice) => {
  const changes = ['a', 'b', 'a'].map((selector, nth) => change({ type: 'HIDE', id: `c${nth}`, selector }))
  const web = content({ variations: { price: { ...noContent, changes } } })
  expect(changedSelectors(web, tested)).toEqual(['a', 'b'])
  const selectors = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const [warning] = webWarnings(web, tested, {
    ...nothing,
    overlaps: [{ shortId: 7, name: 'Hero', isRolledOut, selectors }],
  })
  expect(warning!.code).toBe('SELECTOR_OVERLAP')
  expect(warning!.message).toContain(`${who} also changes a, b, c, d, e and 2 more.`)
  expect(warning!.message).toContain(advice)
})
