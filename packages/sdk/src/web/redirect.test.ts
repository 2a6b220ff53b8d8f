import { expect, test } from 'vitest'
import { targetOf } from './redirect.ts'

const to = (url: string, keepQuery = true) => ({ url, keepQuery })

test.each([
  ['leads to its address', to('https://shop.example/b'), 'https://shop.example/a', 'https://shop.example/b'],
  [
    'keeps the parameters',
    to('https://shop.example/b'),
    'https://shop.example/a?x=1&x=2',
    'https://shop.example/b?x=1&x=2',
  ],
  [
    'drops the parameters if it says so',
    to('https://shop.example/b', false),
    'https://shop.example/a?x=1',
    'https://shop.example/b',
  ],
  [
    'prefers parameters of its own',
    to('https://shop.example/b?x=9'),
    'https://shop.example/a?x=1&y=2',
    'https://shop.example/b?x=9&y=2',
  ],
  [
    'keeps the hash of the page',
    to('https://shop.example/b'),
    'https://shop.example/a#top',
    'https://shop.example/b#top',
  ],
  ['keeps a hash of its own', to('https://shop.example/b#top'), 'https://shop.example/a', 'https://shop.example/b#top'],
  ['leads to a different host', to('https://new.example/a'), 'https://shop.example/a', 'https://new.example/a'],
  [
    'leads to a different port',
    to('https://shop.example:444/a'),
    'https://shop.example/a',
    'https://shop.example:444/a',
  ],
  ['ends on its target', to('https://shop.example/b'), 'https://shop.example/b', null],
  ['ends on its target with a slash', to('https://shop.example/b'), 'https://shop.example/b/', null],
  ['ends on its target with other parameters', to('https://shop.example/b', false), 'https://shop.example/b?x=1', null],
  [
    'ends on its target with its own parameters',
    to('https://shop.example/?v=2'),
    'https://shop.example/?x=1&v=2',
    null,
  ],
  [
    'leads to the same place with a parameter',
    to('https://shop.example/?v=2'),
    'https://shop.example/?v=1',
    'https://shop.example/?v=2',
  ],
])('a redirect %s', (_what, redirect, address, expected) => {
  expect(targetOf(redirect, address)).toBe(expected)
})

test.each([
  ['a target with a hash', 'https://shop.example/#b', 'https://shop.example/#a', 'https://shop.example/#b'],
  ['a target that has the same hash', 'https://shop.example/#b', 'https://shop.example/#b', null],
  ['a target without a hash', 'https://shop.example/', 'https://shop.example/#a', null],
])('a page, which knows its hash, and %s', (_what, url, address, expected) => {
  expect(targetOf(to(url), address, true)).toBe(expected)
  expect(targetOf(to(url), address.replace(/#.*/, ''))).toBeNull()
})

test.each([
  ['a different scheme', 'http://shop.example/b?v=b', null],
  ['a different scheme and other parameters', 'http://shop.example/b?v=b&x=1', null],
  ['a different scheme and host', 'http://www.shop.example/b?v=b', 'https://shop.example/b?v=b'],
  ['a different scheme and port', 'http://shop.example:8080/b?v=b', 'https://shop.example/b?v=b'],
])('a server, which can be behind a proxy, sees the target with %s', (_what, address, expected) => {
  expect(targetOf(to('https://shop.example/b?v=b', false), address)).toBe(expected)
  expect(targetOf(to('https://shop.example/b?v=b', false), address, true)).toBe('https://shop.example/b?v=b')
})
