import { describe, expect, test } from 'vitest'
import { axisOf, drawingWidth, placeOn, writtenTicks } from './axis.ts'
import example from './example.json' with { type: 'json' }
import { change, dayOf } from './figures.ts'
import { type Days, dailyLines, isCut, type Line, liftLines, seriesSentences, valuesToShow } from './series.ts'
import { plain } from './verdict-cases.ts'

const days = example.timeseries as unknown as Days

describe('an axis', () => {
  test.each([
    [
      [-0.072, 0.354],
      [0, 0.1, 0.2, 0.3],
    ],
    [
      [0.083, 0.418],
      [0, 0.1, 0.2, 0.3, 0.4],
    ],
    [
      [-0.9, -0.1],
      [-0.8, -0.6, -0.4, -0.2, 0],
    ],
    [
      [-0.004, 0.003],
      [-0.004, -0.002, 0, 0.002],
    ],
    [[], [0]],
  ])('of %j has the marks %j', (values, ticks) => expect(axisOf(values).ticks).toEqual(ticks))

  test.each([
    [
      [-0.4, 0.4],
      [-0.4, 0, 0.4],
      [-0.4, 0, 0.4],
    ],
    [
      [-0.012, 0.018],
      [-0.01, 0, 0.01],
      [0, 0.01],
    ],
    [
      [-0.01, 0.05],
      [0, 0.04],
      [0, 0.04],
    ],
    [
      [-0.05, 0.01],
      [-0.04, 0],
      [-0.04, 0],
    ],
    [[], [0], [0]],
  ])('of %j: labels at %j, on phones at %j, none overlaps zero', (values, ...ticks) => {
    const { table, phone } = drawingWidth
    expect([table, phone].map((width) => writtenTicks(axisOf(values), change, width))).toEqual(ticks)
  })

  test('holds all values and zero, and keeps others at its ends', () => {
    const axis = axisOf([0.2, 0.4])
    expect(placeOn(axis, 0)).toBe(0)
    expect(placeOn(axis, 0.4)).toBeLessThan(100)
    expect([placeOn(axis, -3), placeOn(axis, 3)]).toEqual([0, 100])
  })
})

describe('over time', () => {
  test('the lift of a day comes with its interval, and there is none for the baseline and before there is data', () => {
    const lines = liftLines(days, 'purchase')
    expect(lines.map(({ variationId }) => variationId)).toEqual(['short'])
    expect(lines[0]!.points).toHaveLength(days.length - 1)
    const last = days.at(-1)!.metrics[0]!.variations[1]!.comparison!.lift
    expect(lines[0]!.points.at(-1)).toEqual({
      asOf: '2026-01-26T00:00:00.000Z',
      value: last.estimate,
      low: last.ciLow,
      high: last.ciHigh,
    })
  })

  test('the visitors of all days together have the mean of the last day', () => {
    const figures = (at: number) => days.at(at)!.metrics[0]!.variations[0]!
    const [line] = dailyLines(days, 'purchase')
    expect(line!.points.at(-1)!.value).toBeCloseTo(
      (figures(-1).sum - figures(-2).sum) / (figures(-1).units - figures(-2).units),
    )
    expect(line!.points.every(({ value }) => value > 0.02 && value < 0.09)).toBe(true)
  })

  test('the wide intervals of the first days do not set the scale', () => {
    const values = valuesToShow(liftLines(days, 'purchase'))
    expect(Math.max(...values)).toBeLessThan(1)
  })

  const lineOf = (...intervals: [number, number][]): Line => ({
    variationId: 'short',
    points: intervals.map(([low, high]) => ({ asOf: '', value: (low + high) / 2, low, high })),
  })

  test.each<[string, Line, { below: boolean; above: boolean; cut: boolean }]>([
    [
      'only in its first days',
      lineOf([-0.67, 0.9], [-0.002, 0.5], [0.02, 0.4], [0.08, 0.4]),
      { below: true, above: true, cut: true },
    ],
    [
      'on the other side',
      lineOf([-0.9, 0.67], [-0.5, 0.1], [-0.4, -0.02], [-0.4, -0.1]),
      { below: true, above: true, cut: true },
    ],
    ['on no day', lineOf([0.1, 0.5], [0.2, 0.4]), { below: false, above: true, cut: true }],
    ['on its last days too', lineOf([-0.1, 0.4], [-0.2, 0.5]), { below: true, above: true, cut: false }],
  ])('a band shows that it crosses zero %s', (_, line, { below, above, cut }) => {
    const axis = axisOf(valuesToShow([line]))
    expect([placeOn(axis, 0) > 10, placeOn(axis, 0) < 90, isCut([line], axis)]).toEqual([below, above, cut])
  })

  test('a band that hardly crosses zero takes no more room than it needs', () => {
    expect(axisOf(valuesToShow([lineOf([-0.002, 0.4], [0.1, 0.3])])).low).toBeGreaterThan(-0.05)
  })

  test('a metric without days has no lines', () => expect(liftLines(days, 'other')).toEqual([]))
})

test('a sentence says what the drawing shows', () => {
  const words = { nameOf: () => 'Short form', day: dayOf, value: change }
  const point = { asOf: '2026-01-12T00:00:00.000Z', value: 0.12, low: -0.072, high: 0.354 }
  const last = { asOf: '2026-01-20T00:00:00.000Z', value: 0.2, low: 0.01, high: 0.41 }
  const said = (...points: (typeof point)[]) => plain(seriesSentences([{ variationId: 'short', points }], words))
  expect(said(point)).toEqual(['Short form: +12.0 % on 12 Jan.'])
  expect(said(point, last)).toEqual([
    'Short form: +12.0 % on 12 Jan, and +20.0 % on 20 Jan, between +1.0 % and +41.0 %.',
  ])
  expect(seriesSentences(dailyLines(days, 'purchase').slice(0, 1), words)[0]).not.toContain('between')
})
