import { expect, test } from 'vitest'
import { changesBodyOf, firstWebContent, noContent } from './index.ts'
import { missingToServe } from './missing.ts'

const redirect = { url: 'https://shop.example/b', keepQuery: true }
const everywhere = { key: 'all', name: 'All', url: null, conditions: { all: [] } }
const pages = [everywhere]
const { changes } = changesBodyOf([]).parse({ changes: [{ id: 'c1', type: 'HIDE', selector: 'h1' }] })
const [original, price] = [
  { id: '1', key: 'original' },
  { id: '2', key: 'price' },
]
const both = [original, price]

test.each([
  [
    'a redirect to a host that the project does not have',
    { 2: { ...noContent, redirect } },
    both,
    ['HOST_NOT_ALLOWED'],
  ],
  ['a redirect that no visitor gets', { 2: { ...noContent, redirect } }, [original], []],
  ['a change', { 2: { ...noContent, changes } }, both, []],
  ['a change of the baseline only', { 1: { ...noContent, changes } }, both, []],
  ['CSS', { 2: { ...noContent, css: '/* A/A */' } }, both, []],
  ['code', { 2: { ...noContent, js: 'track()' } }, both, []],
  ['no change at all', {}, both, ['NO_CHANGES']],
  ['a variation that was emptied', { 2: noContent }, both, ['NO_CHANGES']],
  ['a change of a variation that no visitor gets', { 3: { ...noContent, changes } }, both, ['NO_CHANGES']],
  ['the original as the winner', {}, [original], []],
  ['no visitors', {}, [], []],
])('an experiment with pages and %s misses what it should', (_what, variations, given, codes) => {
  const found = missingToServe({ ...firstWebContent, pages, variations }, 'x1', given, ['other.example'])
  expect(found.map(({ code }) => code)).toEqual(codes)
})

test.each([
  ['a test', both, ['NO_PAGES']],
  ['a winner', [price], ['NO_PAGES']],
  ['a draft', [], []],
])('%s without pages misses them once visitors would get it', (_what, given, codes) => {
  const variations = { 2: { ...noContent, changes } }
  const found = missingToServe({ ...firstWebContent, variations }, 'x1', given, [])
  expect(found.map(({ code }) => code)).toEqual(codes)
})

test.each([
  [[], true],
  [['*.shop.example'], true],
  [['other.example'], true],
  [['shop.example'], false],
])('a redirect to shop.example with the hosts %j is refused: %s', (hosts, isRefused) => {
  const variations = { 2: { ...noContent, redirect } }
  const found = missingToServe({ ...firstWebContent, pages, variations }, 'x1', both, hosts)
  expect(found.map(({ code }) => code)).toEqual(isRefused ? ['HOST_NOT_ALLOWED'] : [])
})
