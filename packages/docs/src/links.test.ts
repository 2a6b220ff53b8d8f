import { describe, expect, it } from 'vitest'
import { deadLinks, resolveLink } from './links.ts'

const places = {
  addresses: new Map([
    ['docs/sdk.md', '/docs/sdk'],
    ['docs/decisions/0001-first.md', '/docs/decisions/0001-first'],
    ['docs/decisions', '/docs/decisions'],
    ['docs/openapi.json', '/openapi.json'],
  ]),
  exists: (path: string) => ['ARCHITECTURE.md', 'packages/core'].includes(path),
}

it.each([
  ['sdk.md', 'docs/api.md', { href: '/docs/sdk' }],
  ['sdk.md#stream', 'docs/api.md', { href: '/docs/sdk#stream' }],
  ['../sdk.md', 'docs/decisions/0001-first.md', { href: '/docs/sdk' }],
  ['decisions/0001-first.md', 'docs/api.md', { href: '/docs/decisions/0001-first' }],
  ['decisions/', 'docs/api.md', { href: '/docs/decisions' }],
  ['openapi.json', 'docs/api.md', { href: '/openapi.json' }],
  ['#limits', 'docs/api.md', { href: '#limits' }],
  ['/docs/errors', 'docs/api.md', { href: '/docs/errors' }],
  ['https://example.org/sdk.md', 'docs/api.md', { href: 'https://example.org/sdk.md' }],
  ['mailto:a@example.org', 'docs/api.md', { href: 'mailto:a@example.org' }],
  ['http://127.0.0.1:4000/docs', 'docs/api.md', { href: '/docs' }],
  ['../ARCHITECTURE.md', 'docs/api.md', { onlyInRepository: true }],
  ['../packages/core/', 'docs/api.md', { onlyInRepository: true }],
  ['nothing.md', 'docs/api.md', { fault: 'links to docs/nothing.md, which does not exist' }],
])('%s in %s becomes %j', (link, source, target) => expect(resolveLink(link, source, places)).toEqual(target))

describe('dead links', () => {
  const pages = (html: string) =>
    new Map([
      ['/docs/one', html],
      ['/docs/two', '<h2 id="there">'],
    ])

  it.each([
    '<a href="/docs/two">',
    '<a href="/docs/two#there">',
    '<p id="here"><a href="#here">',
    '<a href="https://example.org/docs/none">',
    '<a href="/sign-in">',
  ])('accepts %s', (html) => expect(deadLinks(pages(html))).toEqual([]))

  it.each([
    ['<a href="/docs/three">', '/docs/one links to /docs/three, which is not a page'],
    ['<img src="/docs/three.svg">', '/docs/one links to /docs/three.svg, which is not a page'],
    ['<a href="/docs/two#gone">', '/docs/one links to #gone, which /docs/two does not have'],
    ['<a href="#gone">', '/docs/one links to #gone, which /docs/one does not have'],
  ])('reports %s', (html, fault) => expect(deadLinks(pages(html))).toEqual([fault]))
})
