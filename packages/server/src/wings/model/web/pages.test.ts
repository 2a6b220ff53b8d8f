import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contextOfPage } from './page-context.ts'
import { maxPages, pageConditionIssues, pagesField, pagesThatHold } from './pages.ts'

test.each<[string, Record<string, string>]>([
  ['https://shop.example', { 'page.url': 'https://shop.example', 'page.host': 'shop.example', 'page.path': '/' }],
  ['https://Shop.example/', { 'page.url': 'https://shop.example', 'page.host': 'shop.example', 'page.path': '/' }],
  [
    'https://shop.example/pricing/?a=1&a=2&utm.source=x&empty=#/top',
    {
      'page.url': 'https://shop.example/pricing',
      'page.host': 'shop.example',
      'page.path': '/pricing',
      'page.query.a': '1',
      'page.query.utm.source': 'x',
      'page.query.empty': '',
      'page.hash': '#/top',
    },
  ],
  [
    'http://localhost:3000/a//b///',
    { 'page.url': 'http://localhost:3000/a//b', 'page.host': 'localhost', 'page.path': '/a//b' },
  ],
  [
    'https://bücher.example/é?q=%C3%A9+x',
    {
      'page.url': 'https://xn--bcher-kva.example/%C3%A9',
      'page.host': 'xn--bcher-kva.example',
      'page.path': '/%C3%A9',
      'page.query.q': 'é x',
    },
  ],
  [
    'https://shop.example/?__proto__=a&constructor=b',
    {
      'page.url': 'https://shop.example',
      'page.host': 'shop.example',
      'page.path': '/',
      'page.query.__proto__': 'a',
      'page.query.constructor': 'b',
    },
  ],
])('%s has these attributes', (address, context) => expect(contextOfPage(address)).toEqual(context))

test('the referrer is an attribute if there is one', () => {
  expect(contextOfPage('https://shop.example', 'https://search.example/?q=a')).toHaveProperty(
    ['page.referrer'],
    'https://search.example/?q=a',
  )
  for (const none of [undefined, null, ''])
    expect(contextOfPage('https://shop.example', none)).not.toHaveProperty(['page.referrer'])
})

test.each(['', '/pricing', 'shop.example', 'javascript:alert(1)', 'file:///a', 'mailto:a@b.example', 'https://'])(
  '%j is no page',
  (address) => expect(contextOfPage(address)).toBeUndefined(),
)

test('slashes at the end of a path never make a difference', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.stringMatching(/^\/{0,5}$/), (address, slashes) => {
      const [path, query] = address.split('?')
      const rest = query === undefined ? '' : `?${query}`
      const context = contextOfPage(`${path}${slashes}${rest}`)!
      expect(context).toEqual(contextOfPage(`${path}${rest}`))
      expect(context['page.url']).not.toMatch(/\/$/)
      expect(context['page.path']).toMatch(/^\/$|[^/]$/)
    }),
  )
})

const condition = (attribute: string, operator: string, value?: unknown) => ({
  attribute,
  operator,
  ...(value !== undefined && { value }),
})
const isPath = (value: string) => condition('page.path', 'equals', value)

test.each([
  isPath('/pricing'),
  isPath('/'),
  condition('page.url', 'equals', 'https://shop.example'),
  condition('page.path', 'startsWith', '/blog/'),
  condition('page.path', 'in', ['/a', '/b']),
  condition('page.path', 'matches', '^/p/[0-9]+$'),
  condition('page.query.utm.source', 'equals', 'Ads / x?'),
  condition('page.hash', 'startsWith', '#/cart'),
  condition('page.url', 'startsWith', 'https'),
  condition('page.url', 'equals', 'https://shop.example:8443/A%22b'),
  condition('page.host', 'in', ['xn--bcher-kva.example', '127.0.0.1', '[::1]']),
  { ...condition('page.host', 'equals', 'Shop.Example'), caseSensitive: false },
  condition('page.path', 'equals', '/a^b'),
  condition('page.path', 'contains', 'blog'),
  condition('page.path', 'endsWith', '/'),
  condition('page.referrer', 'equals', 'https://search.example/?q=a'),
  condition('page.referrer', 'contains', '?q='),
  condition('device', 'equals', 'mobile'),
  condition('__proto__', 'equals', 'mobile'),
  condition('constructor', 'startsWith', 'mobile'),
  { all: [{ not: isPath('/a') }, { any: [{ attribute: 'visitor.isNew', operator: 'equals', value: true }] }] },
  { all: [] },
])('a page can be %j', (conditions) => expect(pageConditionIssues(conditions)).toEqual([]))

test.each([
  [condition('page.pth', 'equals', '/a'), ['attribute'], 'must be one of page.url, page.host'],
  [condition('page', 'exists'), ['attribute'], 'must be one of page.url'],
  [condition('page.query.', 'exists'), ['attribute'], 'must be one of page.url'],
  [isPath('/pricing/'), ['value'], 'must not end with a slash'],
  [isPath('pricing'), ['value'], 'must begin with /, such as /pricing'],
  [isPath('/pricing?a=1'), ['value'], 'must not contain ? or #'],
  [isPath('/é'), ['value'], 'must be percent-encoded: /%C3%A9'],
  [condition('page.path', 'in', ['/a', '/b/']), ['value', 1], 'must not end with a slash'],
  [condition('page.path', 'contains', '#x'), ['value'], 'must not contain ? or #'],
  [condition('page.url', 'equals', 'https://shop.example/'), ['value'], 'must not end with a slash'],
  [condition('page.url', 'equals', 'shop.example'), ['value'], 'must begin with http:// or https://'],
  [condition('page.url', 'equals', 'http://'), ['value'], 'must not end with a slash'],
  [condition('page.url', 'equals', 'https://[x'), ['value'], 'must be an address, such as https://shop.example'],
  [condition('page.url', 'equals', 'https://Shop.example/A'), ['value'], 'as browsers do: https://shop.example/A'],
  [condition('page.url', 'in', ['https://shop.example:443/a']), ['value', 0], 'as browsers do: https://shop.example/a'],
  [condition('page.url', 'startsWith', 'shop.example'), ['value'], 'must begin with http:// or https://'],
  [condition('page.path', 'startsWith', 'blog/'), ['value'], 'must begin with /, such as /pricing'],
  [isPath('/a/../b'), ['value'], 'as browsers do: /b'],
  [isPath('/a\\b'), ['value'], 'as browsers do: /a/b'],
  [isPath('/a"b'), ['value'], 'as browsers do: /a%22b'],
  [condition('page.hash', 'equals', 'reviews'), ['value'], 'must begin with #, such as #reviews'],
  [condition('page.hash', 'startsWith', '/cart'), ['value'], 'must begin with #'],
  [condition('page.hash', 'contains', 'ü'), ['value'], 'must be percent-encoded: %C3%BC'],
  [condition('page.referrer', 'equals', 'search.example'), ['value'], 'must begin with http:// or https://'],
  [
    condition('page.referrer', 'equals', 'https://search.example'),
    ['value'],
    'as browsers do: https://search.example/',
  ],
  [condition('page.host', 'equals', 'https://shop.example'), ['value'], 'must be the name of a host'],
  [condition('page.host', 'equals', 'shop.example:443'), ['value'], 'must be the name of a host'],
  [condition('page.host', 'equals', ''), ['value'], 'must be the name of a host'],
  [condition('page.host', 'in', ['shop.example', 'bücher.example']), ['value', 1], 'do: xn--bcher-kva.example'],
  [condition('page.host', 'endsWith', 'bücher.example'), ['value'], 'such as xn--bcher-kva.example'],
  [{ ...condition('page.host', 'equals', 'BÜCHER.example'), caseSensitive: false }, ['value'], 'xn--bcher-kva.example'],
  [condition('page.host', 'endsWith', '.Example'), ['value'], 'must be in lower case'],
  [condition('page.path', 'matches', '(a+)+$'), ['value'], 'linear time'],
  [
    { all: [{ any: [isPath('/a'), { audience: 'x' }] }] },
    ['all', 0, 'any', 1, 'audience'],
    'must not be part of a page',
  ],
  [{ not: { segment: 'x' } }, ['not', 'segment'], 'must not be part of a page'],
  [{ not: isPath('/a/') }, ['not', 'value'], 'must not end with a slash'],
  ['x', [], 'must be an object'],
])('the page %j is refused at %j: %s', (conditions, path, rule) =>
  expect(pageConditionIssues(conditions)).toEqual([{ path, message: expect.stringContaining(rule) }]),
)

const page = (key: string, conditions: unknown = isPath(`/${key}`)) => ({ key, name: key, conditions })

test('a page has an address only to open it', () => {
  const url = 'https://shop.example/pricing'
  expect(pagesField.parse([{ ...page('a'), url }, page('b')])).toEqual([
    { ...page('a'), url },
    { ...page('b'), url: null },
  ])
})

test('every fault of pages is named with its place', () => {
  const pages = [
    page('a'),
    page('a', isPath('/a/')),
    page('b.c'),
    { ...page('d'), url: 'javascript:x' },
    page('e', { all: [{ audience: 'x' }, isPath('b/')] }),
    { ...page('f'), more: 1 },
    null,
  ]
  const issues = pagesField.safeParse(pages).error!.issues
  expect(issues.map(({ path, message }) => [z.core.toDotPath(path), message])).toEqual([
    ['[1].conditions.value', expect.stringContaining('slash')],
    ['[2].key', expect.stringContaining('letters, digits')],
    ['[3].url', expect.stringContaining('http://')],
    ['[4].conditions.all[0].audience', expect.stringContaining('targeting')],
    ['[4].conditions.all[1].value', expect.stringContaining('begin with /')],
    ['[5]', expect.stringContaining('more')],
    ['[6]', expect.stringContaining('null')],
    ['[1].key', expect.stringContaining('different')],
  ])
})

test(`an experiment has at most ${maxPages} pages`, () => {
  const pages = Array.from({ length: maxPages + 1 }, (_, number) => page(`p${number}`))
  expect(pagesField.safeParse(pages.slice(1)).success).toBe(true)
  expect(pagesField.safeParse(pages).success).toBe(false)
})

test('the pages that hold are found in their order', () => {
  const pages = pagesField.parse([
    page('all', { all: [] }),
    page('pricing'),
    page('ads', condition('page.query.utm.source', 'equals', 'ads')),
    page('phone', condition('device', 'equals', 'mobile')),
    page('numbers', condition('page.path', 'matches', '^/p/[0-9]+$')),
  ])
  const on = (address: string, more = {}) => pagesThatHold(pages, { ...contextOfPage(address), ...more })
  expect(on('https://shop.example/pricing/?utm.source=ads')).toEqual(['all', 'pricing', 'ads'])
  expect(on('https://shop.example/p/12', { device: 'mobile' })).toEqual(['all', 'phone', 'numbers'])
  expect(on('https://shop.example/')).toEqual(['all'])
  expect(pagesThatHold(pages.slice(1), {})).toEqual([])
})
