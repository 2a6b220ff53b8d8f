import { expect, it } from 'vitest'
import { inTheWay, valuesOf, withRedirect } from './redirect.ts'

const redirect = { url: 'https://shop.example/b', keepQuery: false }
const variations = [
  { key: 'original', name: 'Original', weight: 4000, redirect: null },
  { key: 'b', name: 'Page B', weight: 3000, redirect },
  { key: 'c', name: 'Page C', weight: 3000, redirect: { ...redirect, url: 'https://shop.example/c' } },
]

it('is edited from what is there, and keeps the query at first', () => {
  expect(valuesOf(variations, 'b')).toEqual(redirect)
  expect(valuesOf(variations, 'original')).toEqual({ url: '', keepQuery: true })
})

it.each([
  ['another address', { url: ' https://shop.example/new ', keepQuery: true }, 'https://shop.example/new'],
  ['none', { url: ' ', keepQuery: true }, undefined],
])('%s changes one variation and keeps the names and shares of all', (_what, values, url) => {
  const sent = withRedirect(variations, 'b', values)
  expect(sent.map(({ key, name, weight }) => [key, name, weight])).toEqual(
    variations.map(({ key, name, weight }) => [key, name, weight]),
  )
  expect(sent.map((each) => ('redirect' in each ? each.redirect : 'stays'))).toEqual([
    'stays',
    url === undefined ? null : { url, keepQuery: true },
    'stays',
  ])
})

it.each([
  [undefined, {}, {}],
  ['changes', { changes: [{}] }, {}],
  ['CSS', { css: 'a {}' }, {}],
  ['code', {}, { hasCode: true }],
])('%s is in its way', (found, content, variation) => {
  expect(
    inTheWay({ content: { changes: [], css: null, ...content }, variation: { hasCode: false, ...variation } } as never),
  ).toBe(found)
})
