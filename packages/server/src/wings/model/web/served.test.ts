import { expect, test } from 'vitest'
import { firstWebContent, noContent } from './content.ts'
import { notServedYet } from './served.ts'

const redirect = { url: 'https://shop.example/b', keepQuery: true }
const page = {
  ...{ key: 'home', name: 'Home', url: 'https://shop.example/' },
  conditions: { attribute: 'page.path', operator: 'equals' as const, value: '/' },
}
const byKey = { sticky: false, bucketBy: 'targetingKey' }
const sticky = { ...byKey, sticky: true }
const tested = [
  { id: 'a', key: 'original' },
  { id: 'b', key: 'price' },
]

test.each([
  ['changes and CSS', { variations: { b: { ...noContent, css: 'h1 {}' } } }, []],
  ['a redirect', { variations: { b: { ...noContent, redirect } } }, []],
  ['code', { variations: { a: { ...noContent, js: '1' } } }, []],
  ['sticky code', { variations: { a: { ...noContent, js: '1' } } }, ['sticky is true'], sticky],
  ['changes that wait for a framework', { pages: [page], applyAt: 'HYDRATED' as const }, []],
  ['no content, whatever SDKs do', {}, [], { sticky: true, bucketBy: 'email' }],
  ['sticky pages', { pages: [page] }, ['sticky is true', 'bucketBy is email'], { sticky: true, bucketBy: 'email' }],
  ['sticky CSS', { variations: { b: { ...noContent, css: 'h1 {}' } } }, ['sticky is true'], sticky],
  ['an activation by a call', { activation: 'CALL' as const }, []],
  ['an activation by sight', { activation: 'SEEN' as const, activationSelector: 'h1' }, []],
])('the script and %s', (_what, content, parts, assignment = byKey) => {
  const found = notServedYet({ ...firstWebContent, ...content }, tested, assignment)
  expect(found.map(({ code }) => code)).toEqual(parts.map(() => 'NOT_SERVED_YET'))
  for (const [place, part] of parts.entries()) expect(found[place]!.message).toContain(part)
})
