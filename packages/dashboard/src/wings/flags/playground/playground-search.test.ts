import { expect, it } from 'vitest'
import { momentOf, otherPoint, playgroundSearch, pointOf } from './playground-search.ts'

it.each([
  [{}, {}, 'live', { draft: true }],
  [{ draft: true }, { draft: true }, 'draft', {}],
  [{ revision: 0 }, { revision: 0 }, 'revision', {}],
  [{ at: '2026-11-20T10:00:00.000Z' }, { at: '2026-11-20T10:00:00.000Z' }, 'at', {}],
] as const)('%j is evaluated with %j', (search, point, moment, other) => {
  expect(pointOf(search)).toEqual(point)
  expect(momentOf(search)).toBe(moment)
  expect(otherPoint(search)).toEqual(other)
})

it.each([
  [{ flag: 123 }, { flag: '123' }],
  [{ flag: '', env: 1 }, {}],
  [{ draft: true, revision: 3 }, { draft: true }],
  [{ revision: -1 }, {}],
  [{ revision: 1.5, at: 'tomorrow' }, {}],
  [{ at: '2026-11-20T11:00:00+01:00' }, { at: '2026-11-20T10:00:00.000Z' }],
  [{ visitor: ['u-17'] }, {}],
  [
    { visitor: { targetingKey: 'u-17' }, differs: true },
    { visitor: { targetingKey: 'u-17' }, differs: true },
  ],
])('the address %j is read as %j', (address, search) => {
  expect(playgroundSearch(address)).toEqual(search)
  expect(playgroundSearch({ ...playgroundSearch(address) })).toEqual(search)
})
