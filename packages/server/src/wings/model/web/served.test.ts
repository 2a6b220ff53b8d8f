import { expect, test } from 'vitest'
import { firstWebContent, noContent } from './content.ts'
import { notServedYet } from './served.ts'

const redirect = { url: 'https://shop.example/b', keepQuery: true }
const tested = [
  { id: 'a', key: 'original' },
  { id: 'b', key: 'price' },
]

test.each([
  ['changes and CSS', { variations: { b: { ...noContent, css: 'h1 {}' } } }, []],
  ['a redirect', { variations: { b: { ...noContent, redirect } } }, ['price redirects its visitors']],
  ['code', { variations: { a: { ...noContent, js: '1' } } }, ['original has code']],
  ['code of a variation that is not tested', { variations: { c: { ...noContent, js: '1' } } }, []],
  ['an activation by a call', { activation: 'CALL' as const }, ['activation is CALL']],
  ['an activation by sight', { activation: 'SEEN' as const, activationSelector: 'h1' }, ['activation is SEEN']],
])('the script and %s', (_what, content, parts) => {
  const found = notServedYet({ ...firstWebContent, ...content }, tested)
  expect(found.map(({ code }) => code)).toEqual(parts.map(() => 'NOT_SERVED_YET'))
  for (const [place, part] of parts.entries()) expect(found[place]!.message).toContain(part)
})
