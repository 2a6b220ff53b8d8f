import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { axisOf, marksOf, roomyMarks } from '../axis.ts'
import type { MetricResult } from '../figures.ts'
import { nextStepOf } from '../next-step.ts'
import { shopResults } from '../shop-case.ts'
import { verdictOf } from '../verdict.ts'
import {
  advice,
  failedSplit,
  few,
  keepRunning,
  plain,
  progress,
  results,
  settings,
  withComparison,
} from '../verdict-cases.ts'
import { groupsOf, type MetricRow, readingOf, sharedAxis } from './metric-rows.ts'
import { notesOf } from './notes.ts'

const context = { nameOf: (id: string) => id, now: new Date('2026-01-26T02:00:00Z') }
const verdict = verdictOf(shopResults, context)
const shown = { shows: 'figures', isProven: true } as const

describe('the table of all metrics', () => {
  test('has the primary metrics first, each variation against the baseline, and a word for each', () => {
    const told = groupsOf(shopResults, verdict).map(({ title, metrics }) => [
      title,
      ...metrics.flatMap(({ metric, rows }) =>
        rows.map(({ row, reading }) => `${metric.name}, ${row.variationId}: ${reading.words} (${reading.tone})`),
      ),
    ])
    expect(told).toEqual([
      [
        'Primary metrics',
        'Order paid, short: Better (good)',
        'Order paid, long: No difference shown (note)',
        'Revenue per visitor, short: Better (good)',
        'Revenue per visitor, long: Worse (bad)',
      ],
      [
        'Guardrails',
        'Page errors, short: Open (note)',
        'Page errors, long: Breached (bad)',
        'Time to load, short: Holds (good)',
        'Time to load, long: Holds (good)',
      ],
      [
        'Secondary metrics',
        'Order value, short: No difference shown (note)',
        'Order value, long: Worse (bad)',
        'Cart filled, short: Better (good)',
        'Cart filled, long: No difference shown (note)',
        'Refund asked, short: No difference shown (note)',
        'Refund asked, long: No difference shown (note)',
      ],
    ])
  })

  test('opens nothing before it can be read, but harm', () => {
    const open = (metrics: MetricResult[], shows: 'counts' | 'figures') =>
      groupsOf({ metrics, settings: { ...settings, test: 'FIXED_HORIZON' } }, { shows, isProven: false }).flatMap(
        (group) => group.metrics.flatMap(({ rows }) => rows.map(({ isOpen, reading }) => [isOpen, reading.words])),
      )
    expect(open([few(61, 9)], 'figures')).toEqual([[false, 'Collecting data']])
    expect(open([results.metrics[0]!], 'counts')).toEqual([[false, 'Opens at its end']])
    expect(open(shopResults.metrics.slice(2, 3), 'counts')).toEqual([
      [true, 'Open'],
      [true, 'Breached'],
    ])
  })

  test('has no color and no verdict before something is proven', () => {
    const reading = (isProven: boolean, lift: number) =>
      readingOf(
        { role: 'PRIMARY', direction: 'DECREASE' },
        withComparison({ difference: { estimate: lift, standardError: 1, ciLow: lift, ciHigh: lift } }).variations[1]!
          .comparison!,
        { isProven },
      )
    expect(reading(false, -0.1)).toEqual({ tone: 'note', words: 'Ahead so far' })
    expect(reading(false, 0.1)).toEqual({ tone: 'note', words: 'Behind so far' })
    expect(reading(true, -0.1)).toEqual({ tone: 'good', words: 'Better' })
  })

  test('says once what holds for all metrics', () => {
    const notes = (metrics: MetricResult[]) =>
      notesOf({ ...shopResults, metrics }, verdict, groupsOf({ ...shopResults, metrics }, shown))
    const [paid, revenue] = shopResults.metrics as [MetricResult, MetricResult]
    const waiting = '1,166 visitors are still inside the 1-day window and count later.'
    expect(notes([paid, revenue])).toEqual([waiting])
    expect(plain(notes([paid, { ...revenue, waitingUnits: 1, winsorizedAt: 90, winsorizedUnits: 1 }]))).toEqual([
      `Order paid: ${waiting}`,
      'Revenue per visitor: 1 visitor is still inside the 1-day window and counts later.',
      'Revenue per visitor: 1 visitor above €90.00 counts no more than that.',
    ])
  })
})

describe('the axis that all metrics share', () => {
  const row = (role: MetricResult['role'], low: number, high: number): Pick<MetricRow, 'interval' | 'metric'> => ({
    metric: { ...results.metrics[0]!, role },
    interval: { estimate: (low + high) / 2, low, high, isLift: true, isBeyondLow: false, isBeyondHigh: false },
  })

  test('is not flattened by a metric with few conversions', () => {
    const axis = sharedAxis([row('PRIMARY', -0.04, 0.1), row('SECONDARY', -1, 1.2)])
    expect(axis.high).toBeLessThan(0.2)
    expect(axis.low).toBeGreaterThan(-0.2)
    expect(sharedAxis([row('SECONDARY', -1, 1.2)]).high).toBeGreaterThan(1.2)
  })

  test('holds zero, every estimate and the intervals of the primary metrics', () => {
    const ends = fc.tuple(fc.double({ min: -1, max: 3, noNaN: true }), fc.double({ min: 0, max: 2, noNaN: true }))
    const given = fc.array(fc.tuple(fc.constantFrom('PRIMARY' as const, 'SECONDARY' as const), ends), { minLength: 1 })
    fc.assert(
      fc.property(given, (rows) => {
        const drawn = rows.map(([role, [low, size]]) => row(role, low, low + size))
        const { low, high } = sharedAxis(drawn)
        const held = drawn.flatMap(({ interval, metric }) =>
          metric.role === 'PRIMARY' ? [interval!.low, interval!.high] : [interval!.estimate],
        )
        expect(Math.min(0, ...held)).toBeGreaterThanOrEqual(low)
        expect(Math.max(0, ...held)).toBeLessThanOrEqual(high)
      }),
    )
  })

  test('marks zero and what has room', () => {
    const marks = marksOf(axisOf([-0.4, 0.42]), 3)
    expect(marks).toContain(0)
    expect(marks.length).toBeLessThanOrEqual(4)
  })

  test('writes only marks whose words have room', () => {
    const axis = axisOf([-0.45, 0.42])
    const words = (value: number) => `${value * 100} %`
    expect(roomyMarks(axis, words, 600)).toEqual(axis.ticks)
    expect(roomyMarks(axis, words, 176)).toEqual([-0.4, 0, 0.4])
    expect(roomyMarks(axis, words, 20)).toEqual([0])
  })
})

test.each([
  ['ship', {}, 'Declare short the winner.'],
  ['harm', shopResults, 'Pause the test, or decide that this is worth it.'],
  ['harm, paused', { ...shopResults, ruleStatus: 'PAUSED' as const }, 'Look for the cause before you start it again.'],
  ['unhealthy', { health: failedSplit }, 'Find the cause, fix it, and start a new test.'],
  ['worse', advice('ROLLBACK', ['PRIMARY_WORSE']), 'End the test and keep the baseline.'],
  ['no effect', advice('NO_EFFECT', ['PLANNED_SAMPLE_REACHED']), 'End the test, and try a bigger change.'],
  ['open', { ...keepRunning, progress }, 'Keep it running for about 26 more days.'],
  ['open, without a plan', { ...keepRunning, progress: null }, 'Keep it running.'],
  ['paused', { ...keepRunning, ruleStatus: 'PAUSED' as const }, 'Resume the test to count more visitors.'],
  [
    'early',
    { ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']), runtimeDays: 5.4 },
    'Keep it running for 2 more days, so that it covers whole weeks.',
  ],
  ['a rollout', { recommendation: null }, undefined],
])('the next step: %s', (_about, change, words) => {
  expect(nextStepOf({ ...results, ...change }, context)).toBe(words)
})
