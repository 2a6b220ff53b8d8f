import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucket, bucketCount } from './bucket.ts'

// 99.9 % quantiles of chi-square: the units are fixed, so a hash that passes once passes always.
const chiSquareBound99 = 148.2
const chiSquareBound81 = 126.1
const units = Array.from({ length: 50_000 }, (_, i) => `user-${i}`)

describe('bucket', () => {
  it.each([
    ['rule-a', 'user-1', 8277],
    ['rule-a', 'user-2', 4288],
    ['rule-b', 'user-1', 5718],
    ['rule-a', 'ünïcode-😀', 4281],
    ['rule-a', '', 3691],
  ])('puts salt %j and unit %j in %i', (salt, unit, expected) => {
    expect(bucket(salt, unit)).toBe(expected)
  })

  it('is an integer from 0 to 9999 and always the same', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (salt, unit) => {
        const place = bucket(salt, unit)
        expect(Number.isInteger(place) && place >= 0 && place < bucketCount).toBe(true)
        expect(bucket(salt, unit)).toBe(place)
      }),
    )
  })

  it.each(['rule-a.traffic', 'rule-a.split', 'g1', ''])('is uniform under salt %j', (salt) => {
    const counts = new Array<number>(100).fill(0)
    for (const unit of units) count(counts, Math.floor(bucket(salt, unit) / 100))
    const expected = counts.map(() => units.length / 100)
    expect(chiSquare(counts, expected)).toBeLessThan(chiSquareBound99)
  })

  it.each([
    ['rule-a.traffic', 'rule-a.split'],
    ['rule-a.split', 'rule-b.split'],
    ['1', '2'],
  ])('is independent under the salts %j and %j', (first, second) => {
    const counts = new Array<number>(100).fill(0)
    for (const unit of units) count(counts, decile(first, unit) * 10 + decile(second, unit))
    const rows = sums(counts, (cell) => Math.floor(cell / 10))
    const columns = sums(counts, (cell) => cell % 10)
    const expected = counts.map((_, i) => ((rows[Math.floor(i / 10)] ?? 0) * (columns[i % 10] ?? 0)) / units.length)
    expect(chiSquare(counts, expected)).toBeLessThan(chiSquareBound81)
  })
})

function decile(salt: string, unit: string): number {
  return Math.floor(bucket(salt, unit) / 1000)
}

function count(counts: number[], cell: number): void {
  counts[cell] = (counts[cell] ?? 0) + 1
}

function sums(counts: number[], group: (cell: number) => number): number[] {
  const totals = new Array<number>(10).fill(0)
  for (const [cell, value] of counts.entries()) totals[group(cell)] = (totals[group(cell)] ?? 0) + value
  return totals
}

function chiSquare(counts: number[], expected: number[]): number {
  return counts.reduce((sum, value, i) => sum + (value - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 0), 0)
}
