import { expect, it } from 'vitest'
import { auditQuery, auditSearch, chosenIn, withChosen } from './filter.ts'

it.each([
  [{}, {}],
  [
    { action: 'flag.', actor: 'system' },
    { action: 'flag.', actor: 'system' },
  ],
  [{ action: ' flag.update ', actor: '' }, { action: 'flag.update' }],
  [{ action: 1, unknown: 'x' }, {}],
  [{ q: ' paused checkout ' }, { q: 'paused checkout' }],
  [{ from: '2026-06-15', to: '2026-02-30' }, { from: '2026-06-15' }],
  [{ from: 'yesterday', to: '2026-06-15' }, { to: '2026-06-15' }],
])('the filter reads the address %j as %j', (search, expected) => {
  expect(auditSearch(search)).toEqual(expected)
})

it.each([
  [{}, {}],
  [
    { action: 'flag.', objectType: 'flag' },
    { action: 'flag.', objectType: 'flag' },
  ],
  [{ q: 'paused' }, { q: 'paused' }],
  [{ from: '2026-06-15' }, { from: new Date(2026, 5, 15).toISOString() }],
  [{ to: '2026-06-15' }, { to: new Date(2026, 5, 16).toISOString() }],
  [{ to: '2026-12-31' }, { to: new Date(2027, 0, 1).toISOString() }],
])('the filter turns %j into the query %j', (search, expected) => {
  expect(auditQuery(search)).toEqual(expected)
})

it.each([
  [{}, {}],
  [{ q: 'a', from: '2026-06-15', actor: 'system' }, { actor: ['system'] }],
  [
    { action: 'flag.', objectType: 'flag', objectId: 'f', projectId: 'p' },
    { action: ['flag.'], objectType: ['flag'], objectId: ['f'], projectId: ['p'] },
  ],
])('the address %j has the chips %j, and back', (search, chosen) => {
  expect(chosenIn(search)).toEqual(chosen)
  expect(withChosen(search, chosen)).toEqual(search)
  expect(withChosen({ ...search, objectId: 'gone' }, {})).toEqual(auditSearch({ ...search, ...none }))
})

const none = { actor: '', action: '', objectType: '', objectId: '', projectId: '' }
