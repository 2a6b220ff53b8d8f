import { describe, expect, it } from 'vitest'
import { metricFrom, openFrom, type RecentSums, recentRange, visitorsFrom } from './recent.ts'

const now = new Date('2026-11-26T15:00:00.000Z')
const rule = (ruleId: string, flagId = 'f1') => ({ ruleId, flagId, flagKey: `key of ${flagId}`, experimentId: null })

it('recent are the 14 whole days before today, and visitors of the last window may still convert', () => {
  expect(recentRange(now)).toEqual({ from: '2026-11-12', until: '2026-11-26' })
  expect(openFrom(7 * 24, now)).toBe('2026-11-19')
  expect(openFrom(1, now)).toBe('2026-11-26')
})

describe('new visitors', () => {
  it('are those of the same flag first, then of the rule with the most', () => {
    const rows = [
      { ...rule('r1', 'f2'), units: 900, firstDay: '2026-11-12' },
      { ...rule('r2', 'f3'), units: 1_000, firstDay: '2026-11-12' },
      { ...rule('r3', 'f1'), units: 70, firstDay: '2026-11-12' },
    ]
    expect(visitorsFrom(rows, 'f1', now)).toMatchObject({ units: 70, perDay: 5, source: { ruleId: 'r3' } })
    expect(visitorsFrom(rows, 'other', now)).toMatchObject({ units: 1_000, source: { ruleId: 'r2' } })
    expect(visitorsFrom([], 'f1', now)).toBeNull()
  })

  it('are counted from the first day with one', () => {
    const rows = [{ ...rule('r1'), units: 300, firstDay: '2026-11-23' }]
    expect(visitorsFrom(rows, 'f1', now)).toMatchObject({ days: 3, perDay: 100 })
  })
})

/** The sums of these visitors: y and d of each. */
function sums(values: [y: number, d: number][]): RecentSums {
  const total = (of: (y: number, d: number) => number) => values.reduce((sum, [y, d]) => sum + of(y, d), 0)
  const [sumY, sumD] = [total((y) => y), total((_, d) => d)]
  const squares = total((y, d) => (y - (sumD === 0 ? sumY / values.length : (d * sumY) / sumD)) ** 2)
  return { ...rule('r1'), metricId: 'm', isClosed: true, n: values.length, sumY, sumD, squares }
}
const ofY = (...values: number[]) => sums(values.map((y) => [y, 0]))

describe('the figures of a metric', () => {
  it('are the share of a proportion', () => {
    const found = metricFrom('PROPORTION', [ofY(1, 0, 0, 0)], 'f1')
    expect(found).toEqual({ baseline: 0.25, stddev: null, units: 4, source: rule('r1') })
  })

  it('are mean and deviation', () => {
    const found = metricFrom('MEAN', [ofY(2, 4, 4, 4, 5, 5, 7, 9)], 'f1')
    expect(found).toMatchObject({ baseline: 5, stddev: expect.closeTo(Math.sqrt(32 / 7), 10) })
  })

  it('of a ratio are those of its error by visitor', () => {
    const values: [number, number][] = [
      [2, 1],
      [6, 2],
      [9, 3],
      [4, 2],
    ]
    const found = metricFrom('RATIO', [sums(values)], 'f1')!
    const ratio = 21 / 8
    const residuals = values.map(([y, d]) => y - ratio * d)
    const variance = residuals.reduce((sum, each) => sum + each * each, 0) / 3
    expect(found.baseline).toBe(ratio)
    expect(found.stddev).toBeCloseTo(Math.sqrt(variance) / 2, 10)
  })

  it('come from visitors whose time is over, if there are any', () => {
    const open = { ...ofY(0, 0, 0, 0, 0), isClosed: false }
    expect(metricFrom('PROPORTION', [open, ofY(1, 0)], 'f1')).toMatchObject({ baseline: 0.5, units: 2 })
    expect(metricFrom('PROPORTION', [open], 'f1')).toMatchObject({ baseline: 0, units: 5 })
  })

  it('are unknown without visitors, and for a ratio without a denominator', () => {
    expect(metricFrom('MEAN', [], 'f1')).toBeNull()
    expect(
      metricFrom(
        'RATIO',
        [
          sums([
            [0, 0],
            [0, 0],
          ]),
        ],
        'f1',
      ),
    ).toBeNull()
  })
})
