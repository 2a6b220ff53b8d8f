import MiniSearch from 'minisearch'
import { expect, it } from 'vitest'
import { type Entry, searchIndex, searchOptions } from './search-index.ts'

const entries = [
  { id: 0, address: '/docs/publishing', page: 'Publishing', heading: 'Publishing', text: 'Drafts and live versions.' },
  {
    id: 1,
    address: '/docs/publishing#stale',
    page: 'Publishing',
    heading: 'Stale flags',
    text: 'Nobody asks for them.',
  },
  {
    id: 2,
    address: '/docs/configuration',
    page: 'Configuration',
    heading: 'Configuration',
    text: 'SVC_DATA_DIR, and publishing.',
  },
]
const index = MiniSearch.loadJSON<Entry>(searchIndex(entries), searchOptions)

it.each([
  ['publishing', ['/docs/publishing', '/docs/configuration', '/docs/publishing#stale']],
  ['publ', ['/docs/publishing', '/docs/configuration', '/docs/publishing#stale']],
  ['publishng', ['/docs/publishing', '/docs/configuration', '/docs/publishing#stale']],
  ['stale', ['/docs/publishing#stale']],
  ['SVC_DATA_DIR', ['/docs/configuration']],
  ['stale nothing', []],
])('the search for %s finds %j', (query, addresses) => {
  expect(index.search(query).map(({ address }) => address)).toEqual(addresses)
})
