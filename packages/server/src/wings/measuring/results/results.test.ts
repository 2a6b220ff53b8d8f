import { describe, expect, test } from 'vitest'
import { resultsCsv } from './csv.ts'
import type { Measured, MeasuredMetric, Moments, UnitRow } from './figures.ts'
import { dimensionOf, resultsOf, timeSeriesOf } from './results.ts'
import { type Results, resultsSchema } from './schema.ts'

const none = { converted: null, sumY: 0, m2Y: 0, m3Y: null, sumD: 0, m2D: 0, cYD: 0, sumX: 0, m2X: 0, cYX: 0 }
const weights = { A: 0.5, B: 0.5 }
const phase = { phase: 1, startedAt: new Date('2026-01-01T12:00:00Z'), endedAt: null, weights }
const purchase: MeasuredMetric = {
  metricId: 'm1',
  key: 'purchase',
  name: 'Purchase',
  type: 'PROPORTION',
  role: 'PRIMARY',
  direction: 'INCREASE',
  unit: null,
  windowHours: 168,
  winsorizedAt: null,
  winsorizedUnits: 0,
  nonInferiorityMargin: null,
}

/** An A/B test in its 15th day, with 20,000 units: 5.0 % of A and 5.6 % of B bought. */
const measured: Measured = {
  rule: {
    ruleId: 'r1',
    flagId: 'f1',
    envId: 'e1',
    ruleType: 'AB_TEST',
    ruleStatus: 'RUNNING',
    sendsExposures: true,
    startedAt: phase.startedAt,
    endedAt: null,
  },
  generatedAt: new Date('2026-01-15T12:00:00Z'),
  dataThrough: new Date('2026-01-15T12:00:00Z'),
  settings: {
    test: 'SEQUENTIAL',
    alpha: 0.05,
    sequentialTuningParameter: 5000,
    correction: 'HOLM',
    cuped: { enabled: false, lookbackDays: 14 },
    conversionWindowHours: 168,
    inProgressConversions: 'EXCLUDE',
    minUnits: 100,
    minConversions: 25,
    minRuntimeDays: 7,
  },
  plannedUnitsPerVariation: 31_235,
  maxUnits: null,
  variations: [
    { variationId: 'A', key: 'control', isBaseline: true, weight: 0.5 },
    { variationId: 'B', key: 'new', isBaseline: false, weight: 0.5 },
  ],
  phases: [phase],
  units: unitsFor({ A: 10_000, B: 10_000 }),
  excluded: { bot: 210, override: 12, paused: 3 },
  metrics: [purchase],
  dimensions: [],
  kept: [],
  cohorts: [...rates('m1', 'A', 10_000, 500), ...rates('m1', 'B', 10_000, 560)],
  firstSignificant: [],
  hasHeartbeats: true,
  lastExposureAt: new Date('2026-01-15T11:00:00Z'),
  served: [{ from: phase.startedAt, until: null }],
}

/** Served, with a pause of days from the third one. */
const pausedUntil = (moment: string) => [
  { from: phase.startedAt, until: new Date('2026-01-03T12:00:00Z') },
  { from: new Date(moment), until: null },
]

/** The same number of units on each of 10 complete days. */
function unitsFor(units: Record<string, number>, { phase = 1, crossed = 0 } = {}): UnitRow[] {
  return Object.entries(units).flatMap(([variationId, count]) =>
    Array.from({ length: 10 }, (_, i) => ({
      phase,
      variationId,
      day: `2026-01-${String(i + 5).padStart(2, '0')}`,
      units: count / 10,
      crossed: crossed / 10,
    })),
  )
}

/** Conversions of a rate in two cohorts, so that every figure is merged. */
function rates(metricId: string, variationId: string, n: number, sum: number, phase = 1): Moments[] {
  const half = (n: number, sumY: number): Moments => ({
    ...none,
    phase,
    variationId,
    metricId,
    n,
    converted: sumY,
    sumY,
    m2Y: sumY - sumY ** 2 / n,
  })
  return [half(n * 0.4, sum * 0.4), half(n * 0.6, sum * 0.6)]
}

/** A mean of `mean` with a variance of 1 per unit. */
const means = (metricId: string, variationId: string, n: number, mean: number, rest = {}): Moments[] => [
  { ...none, phase: 1, variationId, metricId, n, sumY: n * mean, m2Y: n - 1, ...rest },
]
const shown = (change: Partial<Measured>): Results => resultsSchema.parse(resultsOf({ ...measured, ...change }))
const comparisonOf = (results: Results, metric = 0, variation = 1) =>
  results.metrics[metric]!.variations[variation]!.comparison!
const near = (number: number, digits = 6) => expect.closeTo(number, digits)

describe('the results of an A/B test', () => {
  test('have the figures of the published case', () => {
    const results = shown({})
    expect(results).toMatchObject({
      ruleId: 'r1',
      startedAt: '2026-01-01T12:00:00.000Z',
      runtimeDays: 14,
      engineVersion: '2',
      units: {
        total: 20_000,
        excluded: { crossover: 0, bot: 210, override: 12, paused: 3 },
        variations: [
          {
            variationId: 'A',
            key: 'control',
            isBaseline: true,
            weight: 0.5,
            expectedShare: 0.5,
            units: 10_000,
            share: 0.5,
          },
          { variationId: 'B', key: 'new', isBaseline: false, share: 0.5 },
        ],
      },
      progress: {
        plannedUnitsPerVariation: 31_235,
        fraction: near(10_000 / 31_235),
        estimatedDaysRemaining: 29,
        stage: 'COLLECTING',
        measuredUnits: 10_000,
      },
      recommendation: {
        action: 'KEEP_RUNNING',
        variationId: null,
        reasons: ['PLANNED_SAMPLE_NOT_REACHED'],
        breached: [],
      },
    })
    expect(results.metrics[0]!.variations).toEqual([
      expect.objectContaining({ variationId: 'A', units: 10_000, sum: 500, mean: 0.05, comparison: null }),
      {
        variationId: 'B',
        units: 10_000,
        converted: 560,
        sum: 560,
        denominatorSum: null,
        mean: near(0.056),
        stddev: near(0.229922, 5),
        ciLow: near(0.0517, 4),
        ciHigh: near(0.0607, 4),
        comparison: {
          status: 'ok',
          baselineVariationId: 'A',
          difference: {
            estimate: near(0.006),
            standardError: near(0.003168),
            ciLow: near(-0.003907),
            ciHigh: near(0.015907),
          },
          lift: { estimate: near(0.12), ciLow: near(-0.071556), ciHigh: near(0.353963), method: 'FIELLER' },
          pValue: 1,
          pValueAdjusted: 1,
          significant: false,
          criticalValue: near(3.1271, 4),
          firstSignificantAt: null,
          cuped: null,
          smallCounts: null,
          bayesian: {
            chanceToBeatControl: near(0.971, 3),
            expectedLoss: near(0.0000357),
            expectedLossControl: near(0.006, 4),
          },
          guardrail: null,
        },
      },
    ])
  })

  test('are the same bytes for the same rows in any order', () => {
    const shuffled = { ...measured, units: measured.units.toReversed() }
    expect(JSON.stringify(resultsOf(shuffled))).toBe(JSON.stringify(resultsOf(measured)))
  })

  test('without rows are zeros', () => {
    const results = shown({ phases: [], units: [], cohorts: [], dataThrough: null, served: [] })
    expect(results).toMatchObject({
      runtimeDays: 0,
      units: { total: 0, variations: [{ share: null, expectedShare: 0.5 }, { share: null }] },
      health: { status: 'NOT_ENOUGH_DATA' },
      recommendation: { action: 'KEEP_RUNNING', reasons: ['NO_EXPOSURES'] },
    })
    expect(comparisonOf(results)).toMatchObject({ status: 'no_data', pValue: null, significant: false })
    expect(results.metrics[0]!.variations[1]).toMatchObject({ units: 0, sum: 0, mean: null, ciLow: null })
  })

  test('of a test without metrics ask for one', () => {
    expect(shown({ metrics: [] }).recommendation!.reasons).toEqual(['NO_PRIMARY_METRIC'])
  })

  test('leave out pauses in the run time', () => {
    expect(shown({ served: pausedUntil('2026-01-10T12:00:00Z') }).runtimeDays).toBe(7)
  })

  test('of a delivery are its units', () => {
    const variations = [{ variationId: 'B', key: 'new', isBaseline: false, weight: 1 }]
    const delivery = { ...measured.rule, ruleType: 'TARGETED_DELIVERY' as const }
    const results = shown({ rule: delivery, settings: null, variations, units: unitsFor({ B: 1000 }), metrics: [] })
    expect(results).toMatchObject({ units: { total: 1000 }, metrics: [], progress: null, recommendation: null })
    expect(results.health.checks.map(({ check }) => check)).toEqual(['NO_EXPOSURES', 'TRAFFIC_DROP'])
    const silent = shown({ rule: { ...delivery, sendsExposures: false }, settings: null, variations, units: [] })
    expect(silent.health).toEqual({ status: 'NOT_MEASURED', checks: [] })
  })
})

describe('a verdict', () => {
  const strong = [...rates('m1', 'A', 10_000, 500), ...rates('m1', 'B', 10_000, 700)]

  test('of a sequential test names its first day, and keeps it', () => {
    const first = comparisonOf(shown({ cohorts: strong }))
    expect(first).toMatchObject({ significant: true, firstSignificantAt: '2026-01-15T12:00:00.000Z' })
    const at = new Date('2026-01-12T00:00:00Z')
    const firstSignificant = [{ metricId: 'm1', variationId: 'B', at }]
    expect(comparisonOf(shown({ cohorts: strong, firstSignificant })).firstSignificantAt).toBe(at.toISOString())
    expect(comparisonOf(shown({ firstSignificant }))).toMatchObject({
      significant: false,
      firstSignificantAt: at.toISOString(),
    })
  })

  test('of a fixed horizon waits for the planned units', () => {
    const settings = { ...measured.settings!, test: 'FIXED_HORIZON' as const }
    expect(comparisonOf(shown({ cohorts: strong, settings })).significant).toBe(false)
    expect(comparisonOf(shown({ cohorts: strong, settings, plannedUnitsPerVariation: 10_000 })).significant).toBe(true)
    const rule = { ...measured.rule, ruleStatus: 'COMPLETED' as const }
    expect(comparisonOf(shown({ cohorts: strong, settings, rule, plannedUnitsPerVariation: null })).significant).toBe(
      true,
    )
    const metrics = [{ ...purchase, role: 'GUARDRAIL' as const }]
    const guarded = (planned: number) =>
      comparisonOf(shown({ metrics, cohorts: strong, settings, plannedUnitsPerVariation: planned })).guardrail
    expect(guarded(31_235)).toMatchObject({ state: 'INCONCLUSIVE', lowerBound: expect.any(Number) })
    expect(guarded(10_000)).toMatchObject({ state: 'PASSED' })
  })

  test('counts the comparisons of its family, and no guardrail', () => {
    const fixed = { ...measured.settings!, test: 'FIXED_HORIZON' as const }
    const roles = ['PRIMARY', 'PRIMARY', 'SECONDARY', 'GUARDRAIL'] as const
    const metrics = roles.map((role, i) => ({ ...purchase, role, metricId: `m${i}` }))
    const cohorts = metrics.flatMap(({ metricId }) => [
      ...rates(metricId, 'A', 10_000, 500),
      ...rates(metricId, 'B', 10_000, 560),
    ])
    const { metrics: found } = shown({ settings: fixed, metrics, cohorts })
    const [p, adjusted] = (['pValue', 'pValueAdjusted'] as const).map((key) =>
      found.map(({ variations }) => variations[1]!.comparison![key]),
    )
    expect(adjusted).toEqual([near(2 * p![0]!), near(2 * p![0]!), near(p![0]!), near(p![0]!)])
  })
})

describe('the recommendation', () => {
  const metrics = [purchase, { ...purchase, metricId: 'g1', role: 'GUARDRAIL' as const, type: 'MEAN' as const }]
  const bought = (sum: number) => [...rates('m1', 'A', 10_000, 500), ...rates('m1', 'B', 10_000, sum)]
  const guarded = (mean: number) => [...means('g1', 'A', 10_000, 10), ...means('g1', 'B', 10_000, mean)]

  test.each([
    ['SHIP', ['PRIMARY_BETTER', 'GUARDRAILS_PASSED'], 700, 10],
    ['REVIEW', ['PRIMARY_BETTER', 'GUARDRAIL_BREACHED'], 700, 9],
    ['REVIEW', ['PRIMARY_BETTER', 'GUARDRAIL_INCONCLUSIVE'], 700, 9.79],
    ['ROLLBACK', ['GUARDRAIL_BREACHED'], 510, 9],
    ['ROLLBACK', ['PRIMARY_WORSE', 'GUARDRAIL_BREACHED'], 350, 9],
    ['ROLLBACK', ['PRIMARY_WORSE'], 350, 10],
    ['KEEP_RUNNING', ['PLANNED_SAMPLE_NOT_REACHED'], 510, 10],
  ])('is %s, because %j', (action, reasons, sum, mean) => {
    const { recommendation } = shown({ metrics, cohorts: [...bought(sum), ...guarded(mean)] })
    const breached = reasons.includes('GUARDRAIL_BREACHED')
      ? [{ metricId: 'g1', name: 'Purchase', variationId: 'B' }]
      : []
    expect(recommendation).toEqual({ action, variationId: action === 'SHIP' ? 'B' : null, reasons, breached })
  })

  test('is NO_EFFECT with the planned units and without a difference', () => {
    expect(shown({ plannedUnitsPerVariation: 9000, cohorts: bought(505) }).recommendation).toMatchObject({
      action: 'NO_EFFECT',
      reasons: ['PLANNED_SAMPLE_REACHED'],
    })
  })

  test.each([
    ['KEEP_RUNNING', ['NOT_ENOUGH_DATA', 'PLANNED_SAMPLE_NOT_REACHED'], 31_235],
    ['KEEP_RUNNING', ['NOT_ENOUGH_DATA', 'WINDOWS_OPEN'], 9000],
    ['NO_EFFECT', ['NOT_ENOUGH_DATA', 'PLANNED_SAMPLE_REACHED'], 60],
  ])('is %s, because %j, while no primary metric has enough data', (action, reasons, plannedUnitsPerVariation) => {
    const few = { plannedUnitsPerVariation, metrics, cohorts: [...rates('m1', 'A', 60, 5), ...rates('m1', 'B', 60, 9)] }
    expect(shown(few).recommendation).toMatchObject({ action, variationId: null, reasons })
    const other = { ...purchase, metricId: 'm2' }
    const enough = [...few.cohorts, ...rates('m2', 'A', 10_000, 500), ...rates('m2', 'B', 10_000, 510)]
    expect(shown({ ...few, metrics: [purchase, other], cohorts: enough }).recommendation!.reasons).toEqual(
      reasons.slice(1),
    )
  })

  test('is reversed for a metric that should fall', () => {
    const falling = [{ ...purchase, direction: 'DECREASE' as const }]
    expect(shown({ metrics: falling, cohorts: bought(700) }).recommendation!.action).toBe('ROLLBACK')
    expect(shown({ metrics: falling, cohorts: bought(350) }).recommendation).toMatchObject({ action: 'SHIP' })
  })

  test('asks for a review if one primary metric is better and one is worse', () => {
    const both = [purchase, { ...purchase, metricId: 'm2' }]
    const worse = [...rates('m2', 'A', 10_000, 500), ...rates('m2', 'B', 10_000, 350)]
    expect(shown({ metrics: both, cohorts: [...bought(700), ...worse] }).recommendation).toMatchObject({
      action: 'REVIEW',
      reasons: ['PRIMARY_BETTER', 'PRIMARY_WORSE'],
    })
  })

  test('names a tie of the two best variations', () => {
    const third = { variationId: 'C', key: 'newer', isBaseline: false, weight: 0.3 }
    const three = {
      variations: [...measured.variations, third],
      phases: [{ ...phase, weights: { A: 1 / 3, B: 1 / 3, C: 1 / 3 } }],
      units: unitsFor({ A: 10_000, B: 10_000, C: 10_000 }),
    }
    const withC = (sum: number) => shown({ ...three, cohorts: [...bought(700), ...rates('m1', 'C', 10_000, sum)] })
    expect(withC(710).recommendation).toMatchObject({
      action: 'SHIP',
      variationId: 'C',
      reasons: ['PRIMARY_BETTER', 'TIE'],
    })
    expect(withC(1100).recommendation!.reasons).toEqual(['PRIMARY_BETTER'])
  })

  test('is UNHEALTHY first of all', () => {
    const units = unitsFor({ A: 10_000, B: 9000 })
    expect(shown({ units, cohorts: bought(700) }).recommendation).toMatchObject({
      action: 'UNHEALTHY',
      reasons: ['HEALTH_FAILED'],
    })
  })
})

describe('the health', () => {
  const checkOf = (change: Partial<Measured>, check: string) =>
    shown(change).health.checks.find((found) => found.check === check)

  test('is OK for units as they should be', () => {
    const { status, checks } = shown({}).health
    expect(status).toBe('OK')
    expect(checks.map(({ check }) => check)).toEqual([
      'SRM',
      'CROSSOVER',
      'NO_EXPOSURES',
      'TRAFFIC_DROP',
      'VARIATION_STARVED',
    ])
    expect(checks[0]).toMatchObject({ chi2: 0, df: 1, pValue: 1, threshold: 0.0005 })
    expect(checks[0]!.bayesFactor).toBeLessThan(1)
  })

  test.each([
    [0.2, 'OK'],
    [0.21, 'WARNING'],
    [1, 'WARNING'],
  ])('warns if more than a fifth of the visitors of a day come from one network: %f is %s', (share, status) => {
    const largestNetwork = { day: '2026-01-09', units: 1_200, share }
    const { health, recommendation } = shown({ largestNetwork })
    expect(health.status).toBe(status)
    expect(health.checks.at(-1)).toEqual({
      ...{ check: 'ADDRESS_SHARE', status, rate: share, threshold: 0.2, observed: 1_200, day: '2026-01-09' },
    })
    expect(recommendation).toEqual(shown({}).recommendation)
  })

  test('does not report networks while no day had enough visitors', () => {
    for (const change of [{}, { largestNetwork: null }]) expect(checkOf(change, 'ADDRESS_SHARE')).toBeUndefined()
  })

  test('asks the chi-square test about complete days only', () => {
    const today = { phase: 1, variationId: 'A', day: '2026-01-15', units: 1000, crossed: 0 }
    const found = checkOf({ units: [...measured.units, today] }, 'SRM')!
    expect(found).toMatchObject({ status: 'FAILED', chi2: 0 })
    expect(found.bayesFactor).toBeGreaterThan(1000)
  })

  test('finds a fault that moves units out of one variation', () => {
    const units = [...unitsFor({ A: 10_000 }), ...unitsFor({ B: 10_000 }, { crossed: 600 })]
    expect(checkOf({ units }, 'SRM')).toMatchObject({ status: 'FAILED' })
    expect(checkOf({ units }, 'CROSSOVER')).toMatchObject({ status: 'FAILED', rate: near(600 / 20_600) })
    expect(shown({ units }).units.excluded.crossover).toBe(600)
  })

  test('compares each phase with its own split', () => {
    const phases = [
      { ...phase, endedAt: new Date('2026-01-08T12:00:00Z') },
      { ...phase, phase: 2, startedAt: new Date('2026-01-08T12:00:00Z'), weights: { A: 0.9, B: 0.1 } },
    ]
    const units = [...unitsFor({ A: 1000, B: 1000 }), ...unitsFor({ A: 9000, B: 1000 }, { phase: 2 })]
    const results = shown({ phases, units })
    expect(results.health.checks[0]).toMatchObject({ status: 'OK', chi2: 0, df: 2 })
    expect(results.units.variations.map(({ expectedShare }) => expectedShare)).toEqual([near(10 / 12), near(2 / 12)])
  })

  test('sees a drop of traffic on the last complete day', () => {
    const units = measured.units.map((row) => (row.day === '2026-01-14' ? { ...row, units: 100 } : row))
    expect(checkOf({ units }, 'TRAFFIC_DROP')).toMatchObject({ status: 'FAILED', observed: 200, expected: 2000 })
    const rule = { ...measured.rule, ruleStatus: 'PAUSED' as const }
    expect(checkOf({ units, rule }, 'TRAFFIC_DROP')).toBeUndefined()
    // A day with a pause is not compared.
    const served = pausedUntil('2026-01-14T20:00:00Z')
    expect(checkOf({ units, served }, 'TRAFFIC_DROP')).toMatchObject({ status: 'NOT_ENOUGH_DATA' })
  })

  test('names a variation without units', () => {
    const units = unitsFor({ A: 10_000 })
    expect(checkOf({ units }, 'VARIATION_STARVED')).toMatchObject({ status: 'FAILED', variationIds: ['B'] })
  })

  test.each([
    [20_001, 'OK'],
    [20_000, 'WARNING'],
  ])('warns of a traffic cap of %d that is reached, only while the test runs', (maxUnits, status) => {
    const check = { check: 'TRAFFIC_CAP', status, observed: 20_000, threshold: maxUnits }
    expect(checkOf({ maxUnits }, 'TRAFFIC_CAP')).toEqual(check)
    expect(shown({ maxUnits }).health.status).toBe(status)
    const rule = { ...measured.rule, ruleStatus: 'PAUSED' as const }
    expect(checkOf({ maxUnits, rule }, 'TRAFFIC_CAP')).toBeUndefined()
  })

  test('sees that nothing arrives', () => {
    expect(checkOf({ units: [] }, 'NO_EXPOSURES')).toMatchObject({ status: 'FAILED' })
    expect(checkOf({ units: [], hasHeartbeats: false }, 'NO_EXPOSURES')).toMatchObject({ status: 'NOT_ENOUGH_DATA' })
  })

  test('warns of variations that differed before the test', () => {
    const settings = { ...measured.settings!, cuped: { enabled: true, lookbackDays: 14 } }
    const metrics = [{ ...purchase, type: 'MEAN' as const }]
    const before = (variationId: string, sumX: number) =>
      means('m1', variationId, 10_000, 10, { sumX, m2X: 9999, cYX: 5000 })
    expect(
      checkOf({ settings, metrics, cohorts: [...before('A', 50_000), ...before('B', 51_000)] }, 'BALANCE'),
    ).toMatchObject({
      status: 'WARNING',
    })
  })
})

describe('metrics of all types', () => {
  const cuped = { ...measured.settings!, cuped: { enabled: true, lookbackDays: 14 } }

  test('a mean adjusted by its covariate shows how much its variance shrank', () => {
    const metrics = [{ ...purchase, type: 'MEAN' as const }]
    const cohorts = ['A', 'B'].flatMap((id) => means('m1', id, 10_000, 10, { sumX: 50_000, m2X: 9999, cYX: 8000 }))
    const comparison = comparisonOf(shown({ settings: cuped, metrics, cohorts }))
    expect(comparison.cuped).toEqual({ theta: near(0.8, 3), varianceReduction: near(0.64, 3) })
    expect(comparison.difference.standardError).toBeCloseTo(0.6 * Math.sqrt(2 / 10_000), 4)
  })

  test('a rate with few conversions has figures that hold for them', () => {
    const of = (a: number, b: number, n = 20) =>
      comparisonOf(shown({ cohorts: [...rates('m1', 'A', n, a), ...rates('m1', 'B', n, b)] }))
    const few = of(0, 20)
    // The always-valid interval of so few visitors reaches beyond what a share can be.
    expect(few.status).toBe('insufficient_data')
    expect(few.smallCounts!.ciHigh).toBeLessThanOrEqual(1)
    expect(of(5, 15).difference.ciHigh).toBeGreaterThan(1)
    expect(of(5, 15).smallCounts).toEqual({ ciLow: near(0.18, 1), ciHigh: near(0.69, 1), fisherPValue: null })
    // The sum of all tables with these margins that are at most as likely.
    expect(of(4, 10).smallCounts!.fisherPValue).toBeCloseTo(0.0958, 3)
    expect(of(500, 560, 10_000).smallCounts).toBeNull()
  })

  test('an adjusted rate needs its conversions too', () => {
    const bought = (sumY: number) =>
      ['A', 'B'].flatMap((id) => means('m1', id, 10_000, 0, { sumY, m2Y: sumY - sumY ** 2 / 10_000, m2X: 9999 }))
    const statusOf = (sumY: number) => comparisonOf(shown({ settings: cuped, cohorts: bought(sumY) })).status
    // The minimum is of both variations together.
    expect([statusOf(12), statusOf(13)]).toEqual(['insufficient_data', 'ok'])
  })

  test('a ratio divides its sums, and is not adjusted', () => {
    const metrics = [{ ...purchase, type: 'RATIO' as const }]
    const cohorts = ['A', 'B'].flatMap((id) => means('m1', id, 1000, 30, { sumD: 3000, m2D: 500, cYD: 100 }))
    const results = shown({ settings: cuped, metrics, cohorts })
    expect(results.metrics[0]!.variations[1]).toMatchObject({ sum: 30_000, denominatorSum: 3000, mean: 10 })
    expect(comparisonOf(results)).toMatchObject({ status: 'ok', cuped: null })
  })

  test('a phase in which a variation got no visitors does not count for it', () => {
    // In the first phase, B got no visitors and all values were twice as high.
    const split = { A: 0.5, B: 0.5 }
    const phases = [
      { ...phase, weights: { A: 1, B: 0 } },
      { ...phase, phase: 2, weights: split },
    ]
    const metrics = [{ ...purchase, role: 'GUARDRAIL' as const, type: 'MEAN' as const }]
    const cohorts = [
      ...means('m1', 'A', 10_000, 20, { sumX: 50_000, m2X: 9999, cYX: 8000 }),
      ...['A', 'B'].flatMap((id) =>
        means('m1', id, 5000, 10, { phase: 2, sumX: 25_000, m2X: 4999, m2Y: 4999, cYX: 4000 }),
      ),
    ]
    const found = comparisonOf(shown({ settings: cuped, phases, metrics, cohorts }))
    expect(found.difference.estimate).toBeCloseTo(0, 12)
    expect(found.guardrail).toMatchObject({ contrast: near(0.2), state: 'PASSED' })
    expect(found.cuped!.varianceReduction).toBeGreaterThan(0.1)
  })

  test('times with different splits are strata', () => {
    const phases = [phase, { ...phase, phase: 2, weights: { A: 0.1, B: 0.9 } }]
    const cohorts = [
      ...rates('m1', 'A', 5000, 500),
      ...rates('m1', 'B', 5000, 500),
      ...rates('m1', 'A', 1000, 300, 2),
      ...rates('m1', 'B', 9000, 2700, 2),
    ]
    const results = shown({ phases, cohorts })
    expect(comparisonOf(results).difference.estimate).toBeCloseTo(0, 12)
    expect(results.metrics[0]!.variations.map(({ mean }) => mean)).toEqual([near(0.2), near(0.2)])
  })
})

test('the values of a dimension are corrected together', () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    name: 'country',
    kind: 'VALUE' as const,
    value: `v${i}`,
    units: 2000,
    cohorts: [...rates('m1', 'A', 1000, 100), ...rates('m1', 'B', 1000, i === 0 ? 200 : 100)],
  }))
  const { name, values } = dimensionOf(measured, 'country', [...rows, { ...rows[0]!, name: 'plan' }])
  expect([name, values.length, values[0]!.value, values[0]!.units]).toEqual(['country', 20, 'v0', 2000])
  const { pValue, pValueAdjusted } = values[0]!.metrics[0]!.variations[1]!.comparison!
  expect(pValueAdjusted! / pValue!).toBeCloseTo(20, 6)
  expect(values[0]!.metrics[0]!.metricId).toBe('m1')
})

test('a time series has the last results of each day', () => {
  const frozen = ['2026-01-02T23:00:00.000Z', '2026-01-01T10:00:00.000Z', null, '2026-01-02T09:00:00.000Z']
  const rows = timeSeriesOf(frozen.map((dataThrough) => ({ dataThrough, metrics: [] })))
  expect(rows.map(({ asOf }) => asOf)).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-02T23:00:00.000Z'])
})

describe('CSV', () => {
  test('has a row for each metric and variation', () => {
    const lines = resultsCsv(shown({})).split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(
      /^"r1","2026-01-15T12:00:00.000Z",,,,"purchase","Purchase","PROPORTION","PRIMARY","INCREASE",,"control","A",10000,/,
    )
    expect(lines[2]).toContain(',"ok",')
  })

  test('tells a value of visitors from the row of all others', () => {
    const { metrics, ...results } = shown({})
    const values = (['VALUE', 'OTHER', undefined] as const).map((kind) => ({
      value: '(other)',
      kind,
      units: 1,
      metrics,
    }))
    const lines = resultsCsv({ ...results, metrics, dimension: { name: 'country', values } } as never).split('\r\n')
    expect(lines.map((line) => line.split(',').slice(2, 5).join())).toEqual([
      '"dimension","dimensionValue","dimensionKind"',
      ...['VALUE', 'OTHER', 'VALUE'].flatMap((kind) => Array(2).fill(`"country","(other)","${kind}"`)),
      '',
    ])
  })

  test('ends with the skewness of a mean', () => {
    // A third moment of n with a variance of 1: a skewness of 1.
    const cohorts = ['A', 'B'].flatMap((id) => means('m1', id, 1_001, 5, { m3Y: 1_001 }))
    const results = shown({ metrics: [{ ...purchase, type: 'MEAN' as const }], cohorts })
    const [header, control] = resultsCsv(results).split('\r\n')
    expect(header).toMatch(/guardrail"?,"?skewness"?,"?unitsForSkewness"?$/)
    const { skewness, unitsForSkewness } = results.metrics[0]!.variations[0]!
    expect([skewness, unitsForSkewness]).toEqual([near(1, 2), 357])
    expect(control!.split(',').slice(-2)).toEqual([String(skewness), '357'])
  })
})
