import { array, assert, constantFrom, property, record, string, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chosenIn,
  columnsIn,
  filtered,
  flagSearch,
  type IndexedFlag,
  listed,
  sorted,
  sortOf,
  withChosen,
} from './flag-filter.ts'

const now = new Date('2026-11-23T12:00:00Z')
const environments = [{ key: 'production' }, { key: 'development' }]

const flag = (key: string, changes: Partial<IndexedFlag> = {}): IndexedFlag => ({
  shortId: 1,
  key,
  name: key,
  type: 'BOOLEAN',
  status: 'RUNNING',
  tags: [],
  updatedAt: '2026-11-01T00:00:00.000Z',
  states: [{}, {}],
  ...changes,
})

const flags = [
  flag('checkout', {
    name: 'One-page Checkout',
    owner: 'u-1',
    tags: ['shop'],
    states: [{ running: true, unpublished: 2 }, {}],
  }),
  flag('search', {
    shortId: 2,
    type: 'STRING',
    status: 'PAUSED',
    tags: ['shop', 'a,b'],
    states: [{}, { running: true, lastEvaluatedAt: '2026-11-20T00:00:00.000Z' }],
    updatedAt: '2026-11-02T00:00:00.000Z',
  }),
  flag('cart-10', { shortId: 3, stale: true, states: [{ lastEvaluatedAt: '2026-09-01T00:00:00.000Z' }, {}] }),
  flag('cart-9', {
    shortId: 4,
    status: 'DRAFT',
    states: [{ scheduled: { action: 'RUN', runAt: '2026-12-01T09:00:00.000Z' } }, {}],
  }),
  flag('gone', { shortId: 5, status: 'ARCHIVED' }),
]

describe('the search', () => {
  it.each([
    [{}, ['checkout', 'search', 'cart-10', 'cart-9']],
    [{ q: 'CHECK page' }, ['checkout']],
    [{ q: 'shop search' }, ['search']],
    [{ q: 'nothing' }, []],
    [{ status: 'ARCHIVED' }, ['gone']],
    [{ status: 'PAUSED,DRAFT' }, ['search', 'cart-9']],
    [{ type: 'STRING' }, ['search']],
    [{ tag: 'a%2Cb' }, ['search']],
    [{ tag: 'shop', status: 'RUNNING' }, ['checkout']],
    [{ owner: 'u-1' }, ['checkout']],
    [{ owner: 'u-1,none' }, ['checkout', 'search', 'cart-10', 'cart-9']],
    [{ running: 'production' }, ['checkout']],
    [{ running: 'production,development' }, ['checkout', 'search']],
    [{ running: 'no-such' }, []],
    [{ paused: 'production' }, ['search', 'cart-10', 'cart-9']],
    [{ unpublished: 'production' }, ['checkout']],
    [{ scheduled: 'production' }, ['cart-9']],
    [{ use: 'stale' }, ['cart-10']],
    [{ use: 'unused-30' }, ['checkout', 'cart-10', 'cart-9']],
  ])('%j leaves %j', (search, keys) => {
    expect(filtered(listed(flags), environments, search, now).map(({ key }) => key)).toEqual(keys)
  })
})

describe('the order', () => {
  it.each([
    [{}, ['search', 'cart-9', 'cart-10', 'gone', 'checkout']],
    [{ sort: 'name' }, ['cart-9', 'cart-10', 'gone', 'checkout', 'search']],
    [{ sort: '-name' }, ['search', 'checkout', 'gone', 'cart-10', 'cart-9']],
    [{ sort: 'status' }, ['cart-10', 'checkout', 'search', 'cart-9', 'gone']],
    [{ sort: '-evaluated' }, ['search', 'cart-10', 'cart-9', 'gone', 'checkout']],
    [{ sort: 'running.production' }, ['checkout', 'cart-9', 'cart-10', 'gone', 'search']],
    [{ sort: '-running.development' }, ['cart-9', 'cart-10', 'gone', 'checkout', 'search']],
    [{ sort: 'running.elsewhere' }, ['cart-9', 'cart-10', 'gone', 'checkout', 'search']],
    [{ sort: 'nonsense' }, ['search', 'cart-9', 'cart-10', 'gone', 'checkout']],
  ])('of %j is %j', (search, keys) => {
    expect(sorted(flags, environments, sortOf(search)).map(({ key }) => key)).toEqual(keys)
  })
})

describe('the address', () => {
  it('gives back every choice that was written into it', () => {
    const values = uniqueArray(string({ minLength: 1 }), { maxLength: 4 })
    const choice = record({ status: values, tag: values, running: values })
    assert(
      property(choice, constantFrom('', 'price'), (chosen, q) => {
        const search = withChosen({ q, columns: 'staging,production' }, chosen)
        expect(columnsIn(search)).toEqual(['staging', 'production'])
        const kept = Object.entries(chosen).filter(([, each]) => each.length > 0)
        expect(chosenIn(flagSearch({ ...search }))).toEqual(Object.fromEntries(kept))
        expect(withChosen(search, chosenIn(search))).toEqual(search)
      }),
    )
  })

  it('reads anything without an error', () => {
    assert(
      property(array(string()), (texts) => {
        const search = flagSearch({ q: texts[0], status: texts.join(','), use: texts[1], junk: 1 })
        expect(filtered(listed(flags), environments, search, now).length).toBeLessThanOrEqual(flags.length)
      }),
    )
  })
})
