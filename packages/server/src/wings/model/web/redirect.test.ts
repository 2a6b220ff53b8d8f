import { expect, test } from 'vitest'
import { redirectSchema, refusesBoth } from './redirect.ts'

test('the query is kept by default', () => {
  expect(redirectSchema.parse({ url: 'https://shop.example/b?c#d' })).toEqual({
    url: 'https://shop.example/b?c#d',
    keepQuery: true,
  })
})

test.each([
  ['/b', 'http://'],
  ['//shop.example/b', 'http://'],
  ['javascript:alert(1)', 'http://'],
  ['data:text/html,a', 'http://'],
  ['ftp://shop.example', 'http://'],
  ['https:shop.example', 'http://'],
  ['https:///shop.example', 'http://'],
  ['https://\\shop.example', 'backslashes'],
  ['java\nscript:x', 'line breaks'],
  [' https://shop.example', 'spaces'],
  ['https://user:pass@shop.example', 'a user name or a password'],
  ['https://shop.example@evil.example', 'a user name or a password'],
  [`https://shop.example/${'a'.repeat(2000)}`, '2000'],
])('a redirect to %j is refused: %s', (url, rule) =>
  expect(redirectSchema.safeParse({ url }).error!.issues[0]!.message).toContain(rule),
)

const redirect = { url: 'https://shop.example/b', keepQuery: true }
const nothing = { redirect, changes: [], css: null, js: null }

test.each([
  [{ changes: [1] }, 'the variation has changes'],
  [{ css: 'a{}' }, 'the variation has CSS'],
  [{ js: '' }, 'the variation has code'],
])('a variation has a redirect or %j, not both', (more, message) => {
  expect(refusesBoth({ ...nothing, ...more })).toEqual({
    path: ['redirect'],
    message: expect.stringContaining(message),
  })
  expect(refusesBoth({ ...nothing, ...more, redirect: null })).toBeUndefined()
})

test('a redirect alone is accepted', () => expect(refusesBoth(nothing)).toBeUndefined())
