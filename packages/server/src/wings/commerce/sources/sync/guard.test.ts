import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultGuards } from '../source.ts'
import { type Accepted, findingsOf, guardText, isShifted, type SyncCounts } from './guard.ts'

const quiet: SyncCounts = {
  ...{ mode: 'FULL', live: 100, removed: 0, seen: 100, shifted: 0, rows: 100, skipped: 0, taken: 100 },
}
const checksOf = (counts: Partial<SyncCounts>, accepted?: Accepted, guards = defaultGuards) =>
  findingsOf({ ...quiet, ...counts }, guards, accepted).map(({ check }) => check)

describe('a guard', () => {
  test.each<[string, Partial<SyncCounts>, string[]]>([
    ['removes less than a fifth', { removed: 19 }, []],
    ['removes a fifth', { removed: 20 }, []],
    ['removes more than a fifth', { removed: 21 }, ['REMOVED_SHARE']],
    ['would remove, but is DELTA', { mode: 'DELTA', removed: 100 }, []],
    ['removes all of 49', { live: 49, seen: 0, removed: 49 }, []],
    ['removes 11 of 50', { live: 50, seen: 39, removed: 11 }, ['REMOVED_SHARE']],
    ['skips a tenth', { skipped: 10 }, []],
    ['skips more than a tenth', { skipped: 11 }, ['SKIPPED_SHARE']],
    ['skips more than a tenth and is DELTA', { mode: 'DELTA', skipped: 11 }, ['SKIPPED_SHARE']],
    ['skips all rows of a new source', { live: 0, seen: 0, skipped: 99, taken: 1 }, []],
    ['shifts a fifth', { shifted: 20 }, []],
    ['shifts more than a fifth', { shifted: 21 }, ['PRICE_SHIFT_SHARE']],
    ['shifts a fifth of few that were seen', { mode: 'DELTA', seen: 4, shifted: 1 }, ['PRICE_SHIFT_SHARE']],
    ['sees none', { mode: 'DELTA', seen: 0, rows: 0, taken: 0 }, []],
    ['has one item', { live: 0, taken: 1 }, []],
    ['has no item', { live: 0, taken: 0 }, ['MIN_ITEMS']],
    ['has no item and is DELTA', { mode: 'DELTA', live: 0, taken: 0 }, []],
    ['is empty', { removed: 100, seen: 0, rows: 0, taken: 0 }, ['REMOVED_SHARE', 'MIN_ITEMS']],
  ])('of a sync that %s', (_what, counts, checks) => {
    expect(checksOf(counts)).toEqual(checks)
  })

  test('that was accepted allows what was seen, and no more', () => {
    const accepted: Accepted = [{ check: 'REMOVED_SHARE', count: 61 }]
    expect(checksOf({ removed: 61 }, accepted)).toEqual([])
    expect(checksOf({ removed: 62 }, accepted)).toEqual(['REMOVED_SHARE'])
    expect(checksOf({ removed: 61, skipped: 11 }, accepted)).toEqual(['SKIPPED_SHARE'])
    expect(checksOf({ taken: 4 }, [{ check: 'MIN_ITEMS', count: 5 }], { ...defaultGuards, minItems: 10 })).toEqual([
      'MIN_ITEMS',
    ])
    expect(checksOf({ taken: 5 }, [{ check: 'MIN_ITEMS', count: 5 }], { ...defaultGuards, minItems: 10 })).toEqual([])
  })

  test('is of no use with a limit of 1, and forbids everything with 0', () => {
    const all = { removed: 100, skipped: 100, shifted: 100 }
    const limits = (limit: number) => ({ maxRemovedShare: limit, maxSkippedShare: limit, maxPriceShiftShare: limit })
    expect(checksOf(all, [], { ...limits(1), minItems: 0 })).toEqual([])
    expect(checksOf({ removed: 1, skipped: 1, shifted: 1 }, [], { ...limits(0), minItems: 0 })).toHaveLength(3)
    expect(checksOf({}, [], { ...limits(0), minItems: 0 })).toEqual([])
  })

  test('whose every finding is accepted finds nothing in the same counts', () => {
    const count = fc.nat(1000)
    const record = {
      live: count,
      removed: count,
      seen: count,
      shifted: count,
      rows: count,
      skipped: count,
      taken: count,
    }
    fc.assert(
      fc.property(fc.record({ mode: fc.constantFrom('FULL' as const, 'DELTA' as const), ...record }), (counts) => {
        expect(findingsOf(counts, defaultGuards, findingsOf(counts, defaultGuards))).toEqual([])
      }),
    )
  })
})

test.each<[Partial<SyncCounts>, string]>([
  [{ live: 18_204, removed: 11_104 }, '61 % of 18,204 items would be removed; the limit is 20 %.'],
  [{ live: 1000, removed: 201 }, '20.1 % of 1,000 items would be removed; the limit is 20 %.'],
  [{ live: 10_000_000, removed: 2_000_001 }, 'More than 20 % of 10,000,000 items would be removed; the limit is 20 %.'],
  [{ rows: 200, skipped: 100 }, '50 % of 200 rows would be skipped; the limit is 10 %.'],
  [{ rows: 1, skipped: 1 }, '100 % of 1 row would be skipped; the limit is 10 %.'],
  [
    { shifted: 100 },
    '100 % of 100 items would get a price above double, below half or in a different currency; the limit is 20 %.',
  ],
  [{ live: 0, taken: 0 }, 'The file has 0 items; there must be at least 1.'],
])('%j reads: %s', (counts, text) => {
  expect(findingsOf({ ...quiet, ...counts }, defaultGuards).map(guardText)).toEqual([text])
})

test.each<[number, number, string, boolean]>([
  [100, 200, 'EUR', false],
  [100, 201, 'EUR', true],
  [100, 50, 'EUR', false],
  [100, 49, 'EUR', true],
  [100, 100, 'USD', true],
  [0, 0, 'EUR', false],
  [0, 1, 'EUR', true],
  [1, 0, 'EUR', true],
])('a price of %d EUR that becomes %d %s is shifted: %s', (price, after, currency, shifted) => {
  expect(isShifted({ price, currency: 'EUR' }, { price: after, currency })).toBe(shifted)
})
