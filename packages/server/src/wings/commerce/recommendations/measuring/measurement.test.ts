import { expect, test } from 'vitest'
import { figuresIn, guardsMargin } from './measurement.ts'

const difference = { estimate: 0.4, standardError: 0.1, ciLow: -0.1, ciHigh: 0.9 }
const results = (changes: object = {}, key = 'revenue_per_visitor') =>
  ({
    ...{ dataThrough: '2026-11-20T10:00:00.000Z', generatedAt: '2026-11-20T10:05:00.000Z' },
    units: {
      variations: [
        { variationId: '1', key: 'default', units: 1000 },
        { variationId: '2', key: 'none', units: 52 },
      ],
    },
    metrics: [
      {
        key,
        variations: [
          { variationId: '2', units: 52, comparison: null },
          { variationId: '1', units: 1000, comparison: { difference: { ...difference, ...changes } } },
        ],
      },
    ],
  }) as unknown as Parameters<typeof figuresIn>[0]

test('incremental revenue is the difference per visitor times the visitors shown', () => {
  expect(figuresIn(results())).toEqual({
    asOf: '2026-11-20T10:00:00.000Z',
    visitors: { shown: 1000, control: 52 },
    perVisitor: { estimate: 0.4, ciLow: -0.1, ciHigh: 0.9 },
    incrementalRevenue: { estimate: 400, ciLow: -100, ciHigh: 900 },
    margin: null,
  })
  const [revenue] = results().metrics
  const both = { ...results(), metrics: [revenue!, { ...revenue!, key: 'margin_per_visitor' as const }] }
  expect(figuresIn(both)?.margin).toEqual({
    perVisitor: { estimate: 0.4, ciLow: -0.1, ciHigh: 0.9 },
    incremental: { estimate: 400, ciLow: -100, ciHigh: 900 },
  })
})

test('there are no figures without an interval, without the metric or without a variation', () => {
  expect(figuresIn(results({ ciLow: null }))).toBeNull()
  expect(figuresIn(results({}, 'purchase'))).toBeNull()
  expect(figuresIn({ ...results(), units: { ...results().units, variations: [] } })).toBeNull()
})

test.each([
  [0, 0, false],
  [100, 95, true],
  [100, 94, false],
])('of %i orders, %i have a margin: it guards the test: %s', (orders, withMargin, guards) => {
  expect(guardsMargin({ orders, withMargin })).toBe(guards)
})
