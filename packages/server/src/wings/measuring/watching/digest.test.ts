import { expect, it } from 'vitest'
import type { Results } from '../results/index.ts'
import { digestOf, figuresOf, isDigestDue, type LastDigest } from './digest.ts'

const comparison = {
  lift: { estimate: 0.1, ciLow: 0.02, ciHigh: 0.18, method: 'FIELLER' },
  significant: true,
  guardrail: null,
}
const results = {
  dataThrough: '2026-01-03T00:20:00.000Z',
  generatedAt: '2026-01-03T00:20:01.000Z',
  startedAt: '2026-01-01T12:00:00.000Z',
  ruleStatus: 'RUNNING',
  runtimeDays: 1.5,
  units: {
    total: 200,
    excluded: { crossover: 1, bot: 0, override: 0 },
    variations: [
      { variationId: 'A', key: 'control', units: 99, share: 0.495 },
      { variationId: 'B', key: 'new', units: 101, share: 0.505 },
    ],
  },
  health: {
    status: 'FAILED',
    checks: [
      { check: 'SRM', status: 'FAILED' },
      { check: 'CROSSOVER', status: 'OK' },
    ],
  },
  metrics: [
    {
      metricId: 'm',
      key: 'paid',
      name: 'Paid',
      role: 'PRIMARY',
      variations: [
        { variationId: 'A', units: 90, sum: 9, denominatorSum: null, mean: 0.1, comparison: null },
        { variationId: 'B', units: 90, sum: 10, denominatorSum: null, mean: 0.11, comparison },
      ],
    },
  ],
  progress: { fraction: 0.25 },
  recommendation: { action: 'KEEP_RUNNING', variationId: null, reasons: ['MIN_RUNTIME_NOT_REACHED'] },
} as unknown as Results

const none = { ...results, units: { ...results.units, total: 0, excluded: { crossover: 0, bot: 0, override: 0 } } }
const never: LastDigest = { day: null, figures: null }

it.each<[string, LastDigest, Partial<Results>, boolean]>([
  ['the first one', never, {}, true],
  ['the next day with new data', { day: '2026-01-02', figures: 'others' }, {}, true],
  ['the next day without new data', { day: '2026-01-02', figures: figuresOf(results) }, {}, false],
  ['a later snapshot of the day', { day: '2026-01-03', figures: 'others' }, {}, false],
  ['the day of the start, which has no complete day', never, { startedAt: '2026-01-03T00:05:00.000Z' }, false],
  ['a rule that never started', never, { startedAt: null }, false],
  ['a rule without visitors', never, none, false],
])('a digest of %s', (_what, last, change, isDue) => {
  expect(isDigestDue(last, { ...results, ...change })).toBe(isDue)
})

it('counts a conversion as new data', () => {
  const [metric] = results.metrics
  const [first, second] = metric!.variations
  const changed = { ...results, metrics: [{ ...metric!, variations: [first!, { ...second!, sum: 11 }] }] }
  expect(figuresOf(changed)).not.toBe(figuresOf(results))
})

it('shows the figures in short', () => {
  expect(digestOf(results)).toEqual({
    asOf: '2026-01-03T00:20:00.000Z',
    ruleStatus: 'RUNNING',
    runtimeDays: 1.5,
    units: 200,
    variations: [
      { id: 'A', key: 'control', units: 99, share: 0.495 },
      { id: 'B', key: 'new', units: 101, share: 0.505 },
    ],
    health: { status: 'FAILED', failed: ['SRM'] },
    metrics: [
      {
        id: 'm',
        key: 'paid',
        name: 'Paid',
        role: 'PRIMARY',
        variations: [
          { id: 'A', key: 'control', mean: 0.1, lift: null, significant: null, guardrail: null },
          {
            ...{ id: 'B', key: 'new', mean: 0.11, significant: true, guardrail: null },
            lift: { estimate: 0.1, ciLow: 0.02, ciHigh: 0.18 },
          },
        ],
      },
    ],
    progress: 0.25,
    recommendation: results.recommendation,
  })
})
