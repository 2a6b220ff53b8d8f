import { expect, test } from 'vitest'
import { aboutOf, canRetry, jobName, namingOf, resultInWords, stateOf } from './job.ts'
import { jobSearch } from './job-search.ts'

test.each([
  ['order_import', 'source'],
  ['stock_sync', 'source'],
  ['dataset_refresh', 'dataset'],
  ['recommendation_run', 'model'],
  ['catalog_restore', 'catalog'],
  ['catalog_removal', undefined],
  ['visitor_erasure', undefined],
])('a job of the kind %s is about a %s', (kind, about) => expect(aboutOf({ kind })).toBe(about))

test.each([
  ['SUCCEEDED', { activated: true }, 'SUCCEEDED'],
  ['SUCCEEDED', { activated: false }, 'NOT_LIVE'],
  ['FAILED', null, 'FAILED'],
] as const)('a run of a model that has %s with %j is shown as %s', (status, result, state) =>
  expect(stateOf({ kind: 'recommendation_run', status, result })).toBe(state),
)

const erasure = (result: Record<string, unknown>) => ({ kind: 'visitor_erasure', status: 'SUCCEEDED' as const, result })

test('the result of an erasure says how many visitors and rules it was about', () => {
  expect(resultInWords(erasure({ visitors: 1, rules: 2 }))).toBe(
    '1 visitor erased. They were renamed in the results of 2 rules.',
  )
  expect(resultInWords(erasure({ visitors: 3, rules: 0 }))).toBe('3 visitors erased. No test had counted them.')
  expect(resultInWords({ ...erasure({}), kind: 'feed_sync' })).toBeUndefined()
})

test.each([
  [{ runNumber: 3, activated: true, products: 200, reason: null }, 'Run 3 went live with 200 products.'],
  [
    { runNumber: 3, activated: false, products: 0, reason: 'The model has no product.' },
    'Run 3 did not go live. The model has no product.',
  ],
])('the result of a run says whether it serves %#', (result, words) => {
  expect(resultInWords({ kind: 'recommendation_run', status: 'SUCCEEDED', result })).toBe(words)
})

test.each([
  ['SUCCEEDED', true, 'Version 7 went live with 1 row.'],
  ['SUCCEEDED', false, 'Nothing has changed: 1 row as before.'],
  ['HELD', true, 'Version 7 has 1 row and did not go live.'],
] as const)('the result of a dataset that is %s, changed: %s', (status, changed, words) => {
  const result = { changed, number: 7, rows: 1 }
  expect(resultInWords({ kind: 'dataset_refresh', status, result })).toBe(words)
})

test('segments and allowlists are shown if one of them names a visitor', () => {
  const segments = [{ id: 's', name: 'Testers' }]
  expect(namingOf(erasure({ segments, allowlists: [] }))).toEqual({ segments, allowlists: [] })
  expect(namingOf(erasure({ segments: [], allowlists: [] }))).toBeUndefined()
})

test('an address has a state that there is, and the open panel', () => {
  expect(jobSearch({ status: 'HELD', panel: 'erase', q: 'x' })).toEqual({ status: 'HELD', panel: 'erase' })
  expect(jobSearch({ status: 'SOON', panel: 7 })).toEqual({})
})

test.each([
  ['FAILED', 'REQUEST', true],
  ['CANCELLED', 'SCHEDULE', true],
  ['FAILED', 'UPLOAD', false],
  ['SUCCEEDED', 'REQUEST', false],
] as const)('a job that is %s, by %s, can run again: %s', (status, trigger, can) => {
  expect(canRetry({ status, trigger })).toBe(can)
})

test.each([
  ['feed_sync', 'Sync: Main feed'],
  ['visitor_erasure', 'Erasure of visitors'],
  ['later_kind', 'later kind: Main feed'],
])('a job of the kind %s is called %s', (kind, name) => {
  expect(jobName({ kind, source: { type: 'commerce', id: 's', name: 'Main feed' } })).toBe(name)
})
