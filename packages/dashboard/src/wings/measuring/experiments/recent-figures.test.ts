import { describe, expect, it } from 'vitest'
import type { RecentFigures } from './experiment.ts'
import { knownSize, recentWords } from './recent-figures.ts'

const source = { ruleId: 'r', flagId: 'f', flagKey: 'checkout', experimentId: null }
const visitors = { units: 28_013, days: 14, perDay: 2000.93, source }
const recent = (
  type: 'PROPORTION' | 'MEAN' | 'RATIO',
  baseline: number,
  stddev: number | null = null,
): RecentFigures => ({
  ...{ from: '2026-11-12', until: '2026-11-26', visitors },
  metrics: [{ key: 'paid', type, figures: { baseline, stddev, units: 14_000, source } }],
})
const nothing: RecentFigures = {
  ...{ from: '2026-11-12', until: '2026-11-26', visitors: null },
  metrics: [{ key: 'paid', type: 'PROPORTION', figures: null }],
}
const metric = { key: 'paid', name: 'Paid orders' }

describe('recent figures', () => {
  it.each([
    ['a share in percent', recent('PROPORTION', 0.0523456), { visitorsPerDay: '2001', baseline: '5.235' }],
    ['a mean', recent('MEAN', 49.9, 12.34567), { visitorsPerDay: '2001', baseline: '49.9', stddev: '12.35' }],
    ['a ratio', recent('RATIO', 1.5, 0.25), { visitorsPerDay: '2001', baseline: '1.5', stddev: '0.25' }],
    ['no baseline of 0', recent('PROPORTION', 0), { visitorsPerDay: '2001' }],
    ['nothing', nothing, {}],
  ])('fill in %s', (_what, figures, known) => expect(knownSize(figures, 'paid')).toEqual(known))

  it('fill in no figures of a different metric', () => {
    expect(knownSize(recent('MEAN', 5, 1), undefined)).toEqual({ visitorsPerDay: '2001' })
  })

  it('say where they come from', () => {
    expect(recentWords(recent('PROPORTION', 0.05), metric)).toBe(
      'From the last 14 days: 28,013 new visitors of the flag checkout, Paid orders of 14,000 visitors of the flag checkout. Change what you know better.',
    )
    expect(recentWords(recent('PROPORTION', 0.05), undefined)).toBe(
      'From the last 14 days: 28,013 new visitors of the flag checkout. Change what you know better.',
    )
    expect(recentWords(nothing, metric)).toBe('Nothing was measured here in the last 14 days. Enter what you expect.')
  })
})
