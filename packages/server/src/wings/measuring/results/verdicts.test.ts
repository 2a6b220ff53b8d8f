import { describe, expect, it, test } from 'vitest'
import type { KeptFigures, Measured, MeasuredMetric, Moments, UnitRow } from './figures.ts'
import { areAllKept, finalFigures } from './finality.ts'
import { dimensionOf, resultsOf } from './results.ts'
import { type Results, resultsSchema } from './schema.ts'

const dayMs = 86_400_000
const start = Date.UTC(2026, 0, 5)
const phase = { phase: 1, startedAt: new Date(start), endedAt: null, weights: { A: 0.5, B: 0.5 } }
const afterDays = (days: number) => new Date(start + days * dayMs)

const metricOf = (metricId: string, change: Partial<MeasuredMetric> = {}): MeasuredMetric => ({
  ...{
    metricId,
    key: metricId,
    name: metricId,
    type: 'PROPORTION',
    role: 'PRIMARY',
    direction: 'INCREASE',
    unit: null,
  },
  ...{ windowHours: 168, winsorizedAt: null, winsorizedUnits: 0, nonInferiorityMargin: null },
  ...change,
})
const primary = metricOf('buys')
const errors = metricOf('errors', { role: 'GUARDRAIL', direction: 'DECREASE' })

/** Conversions of A and B, of as many visitors each. */
const rates = (metricId: string, n: number, a: number, b: number): Moments[] =>
  (['A', 'B'] as const).map((variationId, i) => {
    const sumY = i === 0 ? a : b
    return {
      ...{ phase: 1, variationId, metricId, n, converted: sumY, sumY, m2Y: sumY - sumY ** 2 / n },
      ...{ m3Y: null, sumD: 0, m2D: 0, cYD: 0, sumX: 0, m2X: 0, cYX: 0 },
    }
  })

/** The visitors of A and B, the same on each day from the second one on. */
function visitors(days: readonly number[], shares: Record<string, number> = { A: 0.5, B: 0.5 }): UnitRow[] {
  return days.flatMap((units, i) =>
    Object.entries(shares).map(([variationId, share]) => ({
      ...{ phase: 1, variationId, crossed: 0, units: units * share },
      day: afterDays(i + 1)
        .toISOString()
        .slice(0, 10),
    })),
  )
}

/** A test that has run for this number of days, with 2,000 visitors each day. */
function measuredAt(days: number, change: Partial<Measured> = {}): Measured {
  const now = afterDays(days)
  return {
    rule: {
      ...{ ruleId: 'r', flagId: 'f', envId: 'e', ruleType: 'AB_TEST', ruleStatus: 'RUNNING', sendsExposures: true },
      ...{ startedAt: new Date(start), endedAt: null },
    },
    generatedAt: now,
    dataThrough: now,
    settings: {
      ...{ test: 'SEQUENTIAL', alpha: 0.05, sequentialTuningParameter: 5000, correction: 'HOLM' },
      ...{ cuped: { enabled: false, lookbackDays: 14 }, conversionWindowHours: null },
      ...{ inProgressConversions: 'EXCLUDE', minUnits: 100, minConversions: 25, minRuntimeDays: 7 },
    },
    plannedUnitsPerVariation: null,
    maxUnits: null,
    variations: [
      { variationId: 'A', key: 'a', isBaseline: true, weight: 0.5 },
      { variationId: 'B', key: 'b', isBaseline: false, weight: 0.5 },
    ],
    phases: [phase],
    units: visitors(Array.from({ length: Math.max(1, Math.floor(days) - 1) }, () => 2000)),
    excluded: { bot: 0, override: 0, paused: 0 },
    metrics: [primary],
    cohorts: [],
    dimensions: [],
    kept: [],
    firstSignificant: [],
    hasHeartbeats: true,
    lastExposureAt: now,
    served: [{ from: new Date(start), until: null }],
    ...change,
  }
}

const shown = (measured: Measured): Results => resultsSchema.parse(resultsOf(measured))
const comparisonOf = (results: Results, metric = 0) => results.metrics[metric]!.variations[1]!.comparison!
const fixed = { ...measuredAt(1).settings!, test: 'FIXED_HORIZON' as const }

describe('a test with a fixed horizon', () => {
  const planned = { settings: fixed, plannedUnitsPerVariation: 1400 }
  const early = rates('buys', 200, 20, 50)
  const equal = rates('buys', 1400, 140, 141)
  const better = rates('buys', 1400, 140, 210)

  it('has no verdict while visitors who are in it still have time to convert', () => {
    const results = shown(measuredAt(7.6, { ...planned, cohorts: early }))
    expect(comparisonOf(results)).toMatchObject({ significant: false, firstSignificantAt: null })
    expect(comparisonOf(results).pValue).toBeLessThan(0.001)
    expect(results.metrics[0]!.finalAt).toBeNull()
    expect(results.recommendation).toMatchObject({ action: 'KEEP_RUNNING', reasons: ['WINDOWS_OPEN'] })
    expect(results.progress).toMatchObject({ stage: 'WINDOWS_OPEN', measuredUnits: 200, fraction: 200 / 1400 })
    expect(results.progress!.estimatedDaysRemaining).toBeGreaterThan(0)
  })

  it.each([
    ['SHIP', better, equal],
    ['NO_EFFECT', equal, better],
  ])('keeps its first final verdict, %s, whatever arrives later', (action, first, later) => {
    const final = measuredAt(15, { ...planned, cohorts: first })
    const look = shown(final)
    expect(look.recommendation!.action).toBe(action)
    expect(look.metrics[0]!.finalAt).toBe(final.dataThrough!.toISOString())
    const kept = stored(finalFigures(final))
    for (const change of [
      {},
      { rule: { ...final.rule, ruleStatus: 'COMPLETED' as const, endedAt: afterDays(20) } },
      { settings: { ...fixed, minConversions: 30 } },
    ]) {
      const again = measuredAt(40, { ...planned, cohorts: later, kept, ...change })
      const results = shown(again)
      expect(results.metrics).toEqual(look.metrics)
      expect(results.recommendation).toEqual(look.recommendation)
      expect(finalFigures(again)).toEqual([])
    }
    // Somebody who changes the test to a sequential one asks for another kind of verdict.
    const sequential = shown(measuredAt(40, { plannedUnitsPerVariation: 1400, cohorts: later, kept }))
    expect(sequential.metrics[0]).toMatchObject({ finalAt: null, variations: [{ sum: 140 }, { sum: later[1]!.sumY }] })
  })

  it.each([
    [8.9, 0, 'WINDOWS_OPEN'],
    [9, 1000, 'WINDOWS_OPEN'],
    [10, 2000, 'FINAL'],
  ])(
    'that counts visitors at once has measured on day %d those whose windows have closed: %d',
    (days, units, stage) => {
      const settings = { ...fixed, inProgressConversions: 'INCLUDE' as const }
      // The planned visitors came in two days, and have a week to convert.
      const results = shown(measuredAt(days, { ...planned, settings, cohorts: equal }))
      expect(results.progress).toMatchObject({ stage, measuredUnits: units })
      expect(results.recommendation!.action).toBe(stage === 'FINAL' ? 'NO_EFFECT' : 'KEEP_RUNNING')
      expect(results.progress!.estimatedDaysRemaining).toBe(Math.ceil(10 - days))
      expect(results.metrics[0]!.finalAt === null).toBe(stage !== 'FINAL')
    },
  )

  describe('with a metric that came when the events of earlier visitors were deleted', () => {
    /** 1,000 visitors a side on each day from the second one on; the metric counts those from this day on. */
    const late = (days: number, from: number, change: Partial<MeasuredMetric> = {}): Partial<Measured> => {
      const n = 1000 * Math.max(0, Math.floor(days) - from)
      const cohorts = [...rates('buys', 30_000, 3000, 3000), ...rates('late', n, n / 10, n / 10)]
      return { ...planned, metrics: [primary, { ...metricOf('late', change), countedFrom: afterDays(from) }], cohorts }
    }
    const counting = (inProgressConversions: 'INCLUDE' | 'EXCLUDE') => ({ ...fixed, inProgressConversions })
    const both = [['INCLUDE'], ['EXCLUDE']] as const

    it.each(both)('waits until the metric has measured the planned visitors (%s)', (mode) => {
      const settings = counting(mode)
      const now = measuredAt(40, { ...late(40, 40), settings })
      expect(shown(now).progress).toMatchObject({ stage: 'COLLECTING', measuredUnits: 0, fraction: 0 })
      // Two days of visitors, and a week in which they can convert.
      expect(shown(now).progress!.estimatedDaysRemaining).toBe(9)
      expect(shown(now).recommendation).toMatchObject({
        action: 'KEEP_RUNNING',
        reasons: ['PLANNED_SAMPLE_NOT_REACHED'],
      })
      expect(finalFigures(now)).toEqual([])
      const open = measuredAt(42, { ...late(42, 40), cohorts: rates('buys', 30_000, 3000, 3000), settings })
      expect(shown(open).progress).toMatchObject({ stage: 'WINDOWS_OPEN', measuredUnits: 0 })
      expect(shown(open).progress!.estimatedDaysRemaining).toBe(7)
      const final = measuredAt(49, { ...late(49, 40), settings })
      expect(shown(final).progress!.stage).toBe('FINAL')
      expect(finalFigures(final).map(({ metricId }) => metricId)).toEqual(['buys', 'late'])
    })

    it('says whose windows are open for each metric, without the visitors from before it', () => {
      const cohorts = rates('buys', 30_000, 3000, 3000)
      const { units, metrics } = shown(measuredAt(42, { ...late(42, 40), cohorts, settings: counting('EXCLUDE') }))
      expect(metrics.map(({ waitingUnits }) => waitingUnits)).toEqual([units.total - 60_000, 4000])
      const atOnce = measuredAt(42, { ...late(42, 40), cohorts, settings: counting('INCLUDE') })
      expect(shown(atOnce).metrics.map(({ waitingUnits }) => waitingUnits)).toEqual([0, 0])
    })

    it.each(both)('counts what it had measured before it was computed again (%s)', (mode) => {
      const settings = counting(mode)
      const cohorts = [
        ...rates('buys', 30_000, 3000, 3000),
        ...rates('late', 1400, 140, 140).map((row) => ({ ...row, earlier: 1400 })),
      ]
      const again = measuredAt(40, { ...late(40, 40), settings, cohorts })
      expect(shown(again).progress).toMatchObject({ stage: 'FINAL', measuredUnits: 1400, estimatedDaysRemaining: 0 })
    })

    it.each(['GUARDRAIL', 'SECONDARY'] as const)('judges a %s when it has measured them', (role) => {
      const settings = counting('INCLUDE')
      const now = measuredAt(40, { ...late(40, 40, { role }), settings })
      expect(finalFigures(now).map(({ metricId }) => metricId)).toEqual(['buys'])
      expect(shown(now).metrics.map(({ finalAt }) => finalAt !== null)).toEqual([true, false])
    })

    /** Had visitors on 59 days, and ended on the 40th. The metric came on the 60th. */
    const endedBefore = (metrics: readonly MeasuredMetric[], of: readonly Moments[] = better) => {
      const ended = measuredAt(60, { ...planned, cohorts: [...of], metrics })
      return { ...ended, rule: { ...ended.rule, endedAt: afterDays(40) } }
    }
    const tooLate = (role: MeasuredMetric['role']) => ({ ...metricOf('late', { role }), countedFrom: afterDays(60) })

    it('does not judge a test that has ended by a metric without a visitor', () => {
      const ended = endedBefore([tooLate('PRIMARY')])
      expect(shown(ended).progress!.stage).toBe('COLLECTING')
      expect(shown(ended).recommendation!.action).toBe('KEEP_RUNNING')
      expect(shown(ended).metrics[0]!.finalAt).toBeNull()
      expect(finalFigures(ended)).toEqual([])
    })

    it('judges the others of its role when the test has ended', () => {
      const ended = endedBefore([primary, tooLate('PRIMARY')])
      const results = shown(ended)
      expect(results.progress).toMatchObject({ stage: 'FINAL', measuredUnits: 0 })
      expect(results.recommendation!.action).toBe('SHIP')
      expect(results.metrics.map(({ finalAt }) => finalAt !== null)).toEqual([true, false])
      expect(comparisonOf(results, 1)).toMatchObject({ status: 'no_data', significant: false })
      expect(finalFigures(ended).map(({ metricId }) => metricId)).toEqual(['buys'])
      expect(areAllKept(ended)).toBe(false)
      const later = { ...ended, kept: stored(finalFigures(ended)) }
      expect(finalFigures(later)).toEqual([])
      expect(areAllKept(later)).toBe(true)
      const [split] = dimensionOf(ended, 'country', [
        { name: 'country', value: 'DE', kind: 'VALUE', units: 2800, cohorts: better },
      ]).values
      expect(split!.metrics.map(({ finalAt }) => finalAt !== null)).toEqual([true, false])
    })

    it('asks for a review if only a guardrail cannot be judged when the test has ended', () => {
      const results = shown(endedBefore([primary, tooLate('GUARDRAIL')]))
      expect(results.recommendation).toMatchObject({
        action: 'REVIEW',
        reasons: ['PRIMARY_BETTER', 'GUARDRAIL_INCONCLUSIVE'],
      })
    })

    it.each(both)('does not judge a sequential test early (%s)', (mode) => {
      const settings = { ...counting(mode), test: 'SEQUENTIAL' as const }
      const now = measuredAt(40, { ...late(40, 40), settings })
      expect(shown(now).recommendation!.action).toBe('KEEP_RUNNING')
    })
  })

  it('that counts visitors at once has measured none of a metric that could not be computed', () => {
    const settings = { ...fixed, inProgressConversions: 'INCLUDE' as const }
    const aside = measuredAt(40, { ...planned, settings, setAside: [{ kind: 'METRIC', id: 'buys' }] })
    expect(shown(aside).progress).toMatchObject({ stage: 'COLLECTING', measuredUnits: 0 })
    expect(finalFigures(aside)).toEqual([])
  })

  it('that has ended judges the metrics that could be computed, and the other one when it can be, too', () => {
    const metrics = [primary, metricOf('slow')]
    const change = { ...planned, metrics, setAside: [{ kind: 'METRIC' as const, id: 'slow' }] }
    for (const inProgressConversions of ['INCLUDE', 'EXCLUDE'] as const) {
      const settings = { ...fixed, inProgressConversions }
      const aside = measuredAt(40, { ...change, settings, cohorts: rates('buys', 1000, 100, 160) })
      aside.rule.endedAt = afterDays(30)
      const results = shown(aside)
      expect(results.progress!.stage).toBe('FINAL')
      expect(results.metrics.map(({ finalAt }) => finalAt !== null)).toEqual([true, false])
      const kept = stored(finalFigures(aside))
      expect(kept.map(({ metricId }) => metricId)).toEqual(['buys'])
      const cohorts = [...rates('buys', 1000, 100, 100), ...rates('slow', 1000, 100, 101)]
      const back = { ...aside, kept, cohorts, setAside: [] }
      expect(finalFigures(back).map(({ metricId }) => metricId)).toEqual(['slow'])
      const { finalAt } = results.metrics[0]!
      expect(shown(back).metrics[0]).toMatchObject({ finalAt, variations: [{ sum: 100 }, { sum: 160 }] })
    }
  })

  it('that has ended without a visitor is over', () => {
    const ended = measuredAt(40, { settings: fixed, units: [], cohorts: [] })
    Object.assign(ended.rule, { endedAt: afterDays(20), ruleStatus: 'COMPLETED' })
    expect(shown(ended).progress!.stage).toBe('FINAL')
    expect(shown(ended).recommendation).toMatchObject({ action: 'KEEP_RUNNING', reasons: ['NO_EXPOSURES'] })
  })

  it.each([
    ['has ended, and has open windows', { endedAt: afterDays(10) }, 12, 'WINDOWS_OPEN'],
    ['has ended, and all windows have closed', { endedAt: afterDays(10) }, 17, 'FINAL'],
    ['was completed', { endedAt: afterDays(10), ruleStatus: 'COMPLETED' as const }, 17, 'FINAL'],
    ['runs', {}, 40, 'COLLECTING'],
  ])('that %s', (_is, rule, days, stage) => {
    const measured = measuredAt(days, { settings: fixed, cohorts: better })
    const results = shown({ ...measured, rule: { ...measured.rule, ...rule } })
    expect(results.progress!.stage).toBe(stage)
    expect(comparisonOf(results).significant).toBe(stage === 'FINAL')
  })

  it('that was resumed after its end gets no second look', () => {
    const ended = measuredAt(17, { settings: fixed, cohorts: equal })
    ended.rule.endedAt = afterDays(10)
    const kept = stored(finalFigures(ended))
    const resumed = measuredAt(30, { settings: fixed, cohorts: better, kept })
    expect(comparisonOf(shown(resumed))).toMatchObject({ significant: false, firstSignificantAt: null })
    expect(shown(resumed).recommendation!.action).toBe('NO_EFFECT')
  })

  it('judges metrics that are corrected together at one moment', () => {
    const slow = metricOf('slow', { windowHours: 720 })
    const metrics = [primary, slow]
    const some = measuredAt(15, { ...planned, metrics, cohorts: [...better, ...rates('slow', 300, 30, 60)] })
    expect(finalFigures(some)).toEqual([])
    expect(shown(some).recommendation).toMatchObject({ action: 'KEEP_RUNNING', reasons: ['WINDOWS_OPEN'] })
    const all = { ...some, cohorts: [...better, ...rates('slow', 1400, 140, 141)] }
    expect(finalFigures(all).map(({ metricId }) => metricId)).toEqual(['buys', 'slow'])
    expect(shown(all).recommendation!.action).toBe('SHIP')
  })

  it('waits for its guardrails before it says to ship', () => {
    const metrics = [primary, errors]
    const measured = measuredAt(15, { ...planned, metrics, cohorts: [...better, ...rates('errors', 500, 50, 50)] })
    expect(shown(measured).recommendation).toMatchObject({ action: 'KEEP_RUNNING', reasons: ['WINDOWS_OPEN'] })
  })

  it('reports harm that comes after its verdict', () => {
    const metrics = [primary, errors]
    const before = measuredAt(15, { ...planned, metrics, cohorts: [...equal, ...rates('errors', 1400, 200, 190)] })
    const kept = stored(finalFigures(before))
    const cohorts = [...equal, ...rates('errors', 5000, 700, 1500)]
    expect(shown({ ...before, cohorts, kept }).recommendation).toMatchObject({
      action: 'ROLLBACK',
      reasons: ['GUARDRAIL_BREACHED'],
    })
  })
})

/** As the database gives them back. */
const stored = (kept: readonly KeptFigures[]): KeptFigures[] =>
  JSON.parse(JSON.stringify(kept)).map((each: KeptFigures) => ({ ...each, at: new Date(each.at) }))

describe('the remaining days', () => {
  const planned = { settings: fixed, plannedUnitsPerVariation: 1400 }
  const daysOf = (days: number, change: Partial<Measured>) =>
    shown(measuredAt(days, { ...planned, ...change })).progress!.estimatedDaysRemaining
  /** Visitors of one variation. */
  const seen = (variationId: 'A' | 'B', day: number, units: number): UnitRow => ({
    ...{ phase: 1, variationId, crossed: 0, units },
    day: afterDays(day).toISOString().slice(0, 10),
  })
  /** Visitors whose events are deleted, of a metric that counts others from the 30th day on. */
  const earlier = (a: number, b: number) => ({
    metrics: [{ ...primary, countedFrom: afterDays(30) }],
    cohorts: rates('buys', 1400, 140, 140).map((row, i) => ({ ...row, n: i === 0 ? a : b, earlier: i === 0 ? a : b })),
  })

  it('are none for a variation whose earlier visitors are enough', () => {
    // B was complete on the 35th day. The visitor of A from yesterday is not needed.
    const units = [seen('A', 39, 1), seen('B', 35, 10)]
    expect(daysOf(40, { ...earlier(1400, 1395), units })).toBe(3)
  })

  it('need no rate if all visitors have come', () => {
    const phases = [{ ...phase, startedAt: afterDays(39.5) }]
    expect(daysOf(40, { ...earlier(1400, 1395), units: [seen('B', 35, 10)], phases })).toBe(3)
    expect(daysOf(40, { ...earlier(1400, 1380), units: [seen('B', 35, 10)], phases })).toBeNull()
  })

  it('are those of the metrics that are not final yet', () => {
    const slow = metricOf('slow', { windowHours: 720 })
    const metrics = [primary, slow]
    expect(daysOf(7.6, { metrics })).toBe(26)
    expect(daysOf(7.6, { metrics, cohorts: rates('slow', 1400, 140, 140) })).toBe(3)
    const kept = [{ metricId: 'slow', at: afterDays(5), rows: [], winsorizedAt: null, winsorizedUnits: 0 }]
    expect(daysOf(7.6, { metrics, kept })).toBe(3)
  })
})

test('a sequential test whose visitors still have time to convert has found nothing yet', () => {
  const results = shown(measuredAt(7.6, { plannedUnitsPerVariation: 300 }))
  expect(results.recommendation).toMatchObject({ action: 'KEEP_RUNNING', reasons: ['NOT_ENOUGH_DATA', 'WINDOWS_OPEN'] })
  expect(results.progress).toMatchObject({ fraction: 0, stage: 'WINDOWS_OPEN', measuredUnits: 0 })
  expect(results.progress!.estimatedDaysRemaining).toBeGreaterThan(0)
})

describe('a breached guardrail', () => {
  const bounces = rates('errors', 700, 60, 250)
  const metrics = [primary, errors]
  const equal = rates('buys', 700, 100, 101)

  it.each<[string, number, Partial<Measured>]>([
    ['after the minimum run time', 10, {}],
    ['before it', 2, {}],
    ['in a fixed test before its end', 2, { settings: fixed, plannedUnitsPerVariation: 10_000 }],
    ['without a primary metric', 2, { metrics: [errors] }],
    ['of a test that was paused', 10, { rule: { ...measuredAt(1).rule, ruleStatus: 'PAUSED' } }],
  ])('is the recommendation %s', (_when, days, change) => {
    const { recommendation } = shown(measuredAt(days, { metrics, cohorts: [...equal, ...bounces], ...change }))
    expect(recommendation).toEqual({
      action: 'ROLLBACK',
      variationId: null,
      reasons: ['GUARDRAIL_BREACHED'],
      breached: [{ metricId: 'errors', name: 'errors', variationId: 'B' }],
    })
  })

  it('asks for a review if the variation is better, also before the minimum run time', () => {
    const cohorts = [...rates('buys', 700, 100, 250), ...bounces]
    for (const days of [2, 10])
      expect(shown(measuredAt(days, { metrics, cohorts })).recommendation).toMatchObject({
        action: 'REVIEW',
        reasons: ['PRIMARY_BETTER', 'GUARDRAIL_BREACHED'],
      })
  })

  it('is reported next to a health check that failed', () => {
    const units = visitors([2000, 2000], { A: 0.6, B: 0.4 })
    expect(shown(measuredAt(3, { metrics, units, cohorts: [...equal, ...bounces] })).recommendation).toMatchObject({
      action: 'UNHEALTHY',
      reasons: ['HEALTH_FAILED', 'GUARDRAIL_BREACHED'],
      breached: [{ metricId: 'errors' }],
    })
  })
})

describe('rare events', () => {
  it.each([
    ['BREACHED', 700, 10, 250],
    ['BREACHED', 400, 0, 120],
    ['BREACHED', 400, 0, 400],
    ['INCONCLUSIVE', 1000, 0, 20],
    ['INCONCLUSIVE', 1000, 12, 13],
    // No visitor triggers it, so nothing is worse.
    ['PASSED', 1000, 0, 0],
    ['INCONCLUSIVE', 60, 0, 0],
    ['PASSED', 1000, 1000, 1000],
  ])('leave a guardrail %s with %i visitors each and %i against %i', (state, n, a, b) => {
    const measured = measuredAt(10, { metrics: [errors], cohorts: rates('errors', n, a, b) })
    expect(comparisonOf(shown(measured)).guardrail!.state).toBe(state)
  })

  it.each([
    [true, 500, 0, 200],
    [true, 500, 0, 500],
    [true, 1000, 990, 1000 - 60],
    [false, 1000, 0, 24],
    [false, 1000, 10, 16],
  ])('are significant (%s) with %i visitors each and %i against %i', (significant, n, a, b) => {
    expect(comparisonOf(shown(measuredAt(10, { cohorts: rates('buys', n, a, b) }))).significant).toBe(significant)
  })

  it('of a small variation are not taken for sure', () => {
    // Of 11 that chance gives it on average, the small variation has few in one of 20 tests.
    const [a, b] = [rates('buys', 90_000, 100, 0)[0]!, rates('buys', 10_000, 0, 5)[1]!]
    const phases = [{ ...phase, weights: { A: 0.9, B: 0.1 } }]
    expect(comparisonOf(shown(measuredAt(10, { phases, cohorts: [a, b] }))).significant).toBe(false)
  })

  it('a guardrail that no visitor triggers does not hold back what is better', () => {
    const cohorts = [...rates('buys', 1000, 100, 250), ...rates('errors', 1000, 0, 0)]
    expect(shown(measuredAt(10, { metrics: [primary, errors], cohorts })).recommendation).toMatchObject({
      action: 'SHIP',
      reasons: ['PRIMARY_BETTER', 'GUARDRAILS_PASSED'],
    })
  })

  it.each([
    ['MEAN', 1, 8, false],
    ['MEAN', 30, 90, true],
    ['RATIO', 1, 8, false],
    ['RATIO', 30, 90, true],
  ] as const)('of a %s count visitors with a value: %i against %i', (type, a, b, significant) => {
    const orders = (['A', 'B'] as const).map((variationId, i): Moments => {
      const [n, converted] = [105, i === 0 ? a : b]
      const sumY = 50 * converted
      const pairs = type === 'RATIO' ? { sumD: n, m2D: 0, cYD: 0 } : { sumD: 0, m2D: 0, cYD: 0 }
      return {
        ...{ phase: 1, variationId, metricId: 'orders', n, converted, sumY },
        ...{ m2Y: 2500 * (converted - converted ** 2 / n), m3Y: null, ...pairs, sumX: 0, m2X: 0, cYX: 0 },
      }
    })
    const settings = { ...fixed }
    const rule = { ...measuredAt(1).rule, ruleStatus: 'COMPLETED' as const }
    const measured = measuredAt(10, { settings, rule, metrics: [metricOf('orders', { type })], cohorts: orders })
    expect(comparisonOf(shown(measured)).significant).toBe(significant)
  })
})

describe('the traffic', () => {
  const checkOf = (measured: Measured, check: string) =>
    shown(measured).health.checks.find((found) => found.check === check)!
  const dropOf = (days: readonly number[]) =>
    checkOf(measuredAt(days.length + 1, { units: visitors(days) }), 'TRAFFIC_DROP')
  // From Tuesday on: the test was launched on a Monday.
  const week = [1000, 1000, 1000, 1000, 300, 250, 1000]

  it.each<[string, number[], string]>([
    ['a first weekend', week.slice(0, 6), 'NOT_ENOUGH_DATA'],
    ['a second weekend', [...week, ...week.slice(0, 6)], 'OK'],
    ['a weekday that is as weak as a weekend', [...week, 1000, 300], 'FAILED'],
    ['a weekend that is weaker than the one before', [...week, 1000, 1000, 1000, 1000, 100], 'FAILED'],
    ['a day after one with many visitors', [9000, ...week.slice(1), 1000], 'OK'],
    ['a silent day in the first week, after a weak one', [1000, 1000, 1000, 1000, 300, 0], 'FAILED'],
    ['a silent second day', [1000, 0], 'FAILED'],
    ['a silent weekday', [...week, 1000, 0], 'FAILED'],
    [
      'a silent weekend where weekends are silent',
      [1000, 1000, 1000, 1000, 0, 0, 1000, 1000, 1000, 1000, 1000, 0],
      'NOT_ENOUGH_DATA',
    ],
    ['a silent day of a few visitors', [4, 2, 2, 4, 0], 'NOT_ENOUGH_DATA'],
  ])('of %s', (_name, days, status) => expect(dropOf(days).status).toBe(status))

  const silent = (change: Partial<Measured>) =>
    checkOf(measuredAt(9, { units: [...visitors([40, ...Array(7).fill(0)])], ...change }), 'NO_EXPOSURES').status

  it.each<[string, Partial<Measured>, string]>([
    ['nobody for a week after a first day with 40', { lastExposureAt: afterDays(2) }, 'FAILED'],
    ['nobody for 20 hours', { lastExposureAt: afterDays(9 - 20 / 24) }, 'OK'],
    ['visitors who return', { lastExposureAt: afterDays(8.9) }, 'OK'],
    ['nobody, and no client', { lastExposureAt: afterDays(2), hasHeartbeats: false }, 'OK'],
    [
      'nobody for a week of a rule that a visitor finds each week',
      { units: visitors([2]), lastExposureAt: afterDays(2) },
      'OK',
    ],
    [
      'nobody on a weekend of a site without weekends',
      {
        ...{ generatedAt: afterDays(14), dataThrough: afterDays(14), lastExposureAt: afterDays(12) },
        units: visitors([500, 500, 500, 500, 0, 0, 500, 500, 500, 500, 500]),
      },
      'OK',
    ],
  ])('with %s', (_name, change, status) => expect(silent(change)).toBe(status))
})

describe('the split', () => {
  const splitOf = (
    days: number,
    counts: Record<string, number>,
    weights: Record<string, number>,
    change: Partial<Measured> = {},
  ) => {
    const variations = Object.entries(weights).map(([variationId, weight], i) => ({
      ...{ variationId, key: variationId, isBaseline: i === 0, weight },
    }))
    const units = Object.entries(counts).map(([variationId, units]) => ({
      ...{ phase: 1, variationId, crossed: 0, units, day: '2026-01-05' },
    }))
    const measured = measuredAt(days, { variations, units, phases: [{ ...phase, weights }], metrics: [], ...change })
    return shown(measured).health.checks.find(({ check }) => check === 'SRM')!
  }

  it.each<[string, number, Record<string, number>, Record<string, number>, string]>([
    ['a few visitors of a small variation', 1, { A: 14, B: 2 }, { A: 0.99, B: 0.01 }, 'OK'],
    ['a small variation with too many of few', 1, { A: 480, B: 20 }, { A: 0.99, B: 0.01 }, 'FAILED'],
    ['the first day', 0.5, { A: 400, B: 420 }, { A: 0.5, B: 0.5 }, 'OK'],
    ['the first visitors', 0.5, { A: 3, B: 4 }, { A: 0.5, B: 0.5 }, 'NOT_ENOUGH_DATA'],
    ['a first day that is far off', 0.5, { A: 800, B: 320 }, { A: 0.5, B: 0.5 }, 'FAILED'],
    ['visitors of a variation with a weight of 0', 1, { A: 300, B: 300, C: 300 }, { A: 0.5, B: 0.5, C: 0 }, 'FAILED'],
    ['visitors of a variation that the test does not have', 1, { A: 300, B: 300, C: 30 }, { A: 0.5, B: 0.5 }, 'FAILED'],
    ['one late visitor of it', 1, { A: 300, B: 300, C: 1 }, { A: 0.5, B: 0.5, C: 0 }, 'OK'],
  ])('with %s', (_name, days, counts, weights, status) => {
    expect(splitOf(days, counts, weights).status).toBe(status)
  })

  it('names the variation that should get nobody', () => {
    const found = splitOf(1, { A: 300, B: 300, C: 300 }, { A: 0.5, B: 0.5, C: 0 })
    expect(found.variationIds).toEqual(['C'])
  })

  it('does not blame clients that hear of a new split a little later', () => {
    const phases = [
      { ...phase, endedAt: new Date(start), weights: { A: 0.5, B: 0.3, C: 0.2 } },
      { ...phase, phase: 2, weights: { A: 0.5, B: 0.5, C: 0 } },
    ]
    const of = (day: string) => [
      { phase: 1, variationId: 'C', crossed: 0, units: 200, day: '2026-01-05' },
      { phase: 1, variationId: 'A', crossed: 0, units: 500, day: '2026-01-05' },
      { phase: 1, variationId: 'B', crossed: 0, units: 300, day: '2026-01-05' },
      { phase: 2, variationId: 'A', crossed: 0, units: 500, day },
      { phase: 2, variationId: 'B', crossed: 0, units: 500, day },
      { phase: 2, variationId: 'C', crossed: 0, units: 30, day },
    ]
    const weights = { A: 0.5, B: 0.5, C: 0 }
    expect(splitOf(2, {}, weights, { phases, units: of('2026-01-05') }).status).toBe('OK')
    expect(splitOf(3, {}, weights, { phases, units: of('2026-01-06') }).variationIds).toEqual(['C'])
  })
})
