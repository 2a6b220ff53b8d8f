import { describe, expect, test } from 'vitest'
import { rowsOf } from './dimension-rows.ts'
import example from './example.json' with { type: 'json' }
import type { Comparison, Dimension } from './figures.ts'
import { intervalOf } from './interval.ts'

const none = { estimate: null, ciLow: null, ciHigh: null, method: 'FIELLER' as const }
const between = (ciLow: number, ciHigh: number) => ({ estimate: 0, ciLow, ciHigh })
const compared = (lift: object, difference: object, status = 'ok') =>
  ({ status, lift: { ...none, ...lift }, difference: { standardError: 0, ...difference } }) as Comparison
const rate = { type: 'PROPORTION' as const }
const revenue = { type: 'MEAN' as const }

test.each<
  [
    string,
    ReturnType<typeof intervalOf> extends infer _ ? [{ type: 'PROPORTION' | 'MEAN' }, Comparison] : never,
    object,
  ]
>([
  [
    'a lift',
    [rate, compared(between(-0.1, 0.3), between(-0.01, 0.02))],
    { low: -0.1, high: 0.3, isLift: true, isBeyondLow: false, isBeyondHigh: false },
  ],
  [
    'a difference of shares beyond 100 points',
    [rate, compared(none, between(-1.4, 1.2), 'lift_unbounded')],
    { low: -1, high: 1, isLift: false, isBeyondLow: true, isBeyondHigh: true },
  ],
  [
    'a share that would lose more than all',
    [rate, compared(between(-1.2, 4), between(-0.3, 0.9))],
    { low: -1, high: 4, isBeyondLow: true, isBeyondHigh: false },
  ],
  [
    'a difference of amounts, which has no end',
    [revenue, compared(none, between(-140, 120), 'zero_baseline')],
    { low: -140, high: 120, isBeyondLow: false, isBeyondHigh: false },
  ],
])('%s is drawn within what is possible', (_what, [metric, comparison], expected) => {
  expect(intervalOf(metric, comparison)).toMatchObject(expected)
})

test('too few visitors have none', () => {
  expect(intervalOf(rate, compared(between(0, 1), between(0, 1), 'insufficient_data'))).toBeUndefined()
  expect(intervalOf(rate, compared(none, { ciLow: null, ciHigh: null, estimate: null }))).toBeUndefined()
})

describe('the rows of a dimension', () => {
  const country = example.dimension as Dimension

  test('has one for each value and variation, with the original of the same visitors', () => {
    const rows = rowsOf(country, 'purchase')
    expect(rows.map(({ value, variationId }) => `${value} ${variationId}`)).toEqual([
      'DE short',
      'NL short',
      'FR short',
      'AT short',
    ])
    const [first] = rows
    expect(first).toMatchObject({
      units: country.values[0]!.units,
      originalMean: country.values[0]!.metrics[0]!.variations[0]!.mean,
      isTooFew: false,
    })
    expect(rows.reduce((sum, { units }) => sum + units, 0)).toBe(example.units.total)
  })

  test('are empty for an unknown metric', () => expect(rowsOf(country, 'gone')).toEqual([]))
})
