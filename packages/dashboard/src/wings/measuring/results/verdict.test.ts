import { describe, expect, test } from 'vitest'
import type { Results } from './figures.ts'
import { healthOf } from './health.ts'
import { skewnessWords } from './skewness.ts'
import { smallCountSentences } from './small-counts.ts'
import { verdictOf } from './verdict.ts'
import {
  advice,
  failedSplit,
  few,
  keepRunning,
  nobody,
  plain,
  progress,
  results,
  rows,
  settings,
  withComparison,
} from './verdict-cases.ts'
import { waitingChecks } from './waiting.ts'

const names: Record<string, string> = { original: 'Original', short: 'Short form', long: 'Long form' }
const context = { nameOf: (id: string) => names[id] ?? id, now: new Date('2026-01-05T02:00:00Z') }

describe('the first sentence and what is shown', () => {
  test.each(rows)('%s', (_about, change, headline, ...lines) => {
    const verdict = verdictOf({ ...results, ...change }, context)
    expect(plain([verdict.headline, ...verdict.lines])).toEqual([headline, ...lines])
  })

  test('a declared winner comes before everything else', () => {
    const winner = { variationId: 'short', by: 'Ada', at: '2026-01-20T10:00:00Z' }
    expect(plain(verdictOf(results, { ...context, winner }))).toMatchObject({
      headline: 'Ada chose Short form on 20 Jan.',
      lines: [
        'The figures said that day: Short form: Purchase +25.9 %, between +7.2 % and +48.4 %.',
        'They say now: Short form is better.',
        'Short form: Purchase +23.8 %, between +8.3 % and +41.8 %.',
        'The guardrail holds.',
      ],
    })
    const early = { ...winner, at: '2026-01-05T10:00:00Z' }
    expect(verdictOf(results, { ...context, winner: early }).lines[0]).toBe('They say now: Short form is better.')
  })

  test('no figure is shown before it can be read', () => {
    const shows = (change: Partial<Results>) => verdictOf({ ...results, ...change }, context).shows
    expect(shows({ ...advice('KEEP_RUNNING', ['NO_EXPOSURES']), units: nobody })).toBe('nothing')
    expect(shows({ ...keepRunning, metrics: [few(61, 9)] })).toBe('counts')
    expect(shows({ ...keepRunning, settings: { ...settings, test: 'FIXED_HORIZON' }, progress })).toBe('counts')
    const isFinal = { ...results.progress!, stage: 'FINAL' as const }
    expect(shows({ settings: { ...settings, test: 'FIXED_HORIZON' }, progress: isFinal })).toBe('figures')
  })

  test.each([
    ['early', { ...advice('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED' as const]), runtimeDays: 2 }, false],
    ['open', keepRunning, false],
    ['unhealthy', { ...advice('UNHEALTHY'), health: failedSplit }, false],
    ['ship', {}, true],
    ['rollback', advice('ROLLBACK'), true],
  ])('colors only for what is proven: %s', (_about, change, isProven) => {
    expect(verdictOf({ ...results, ...change }, context).isProven).toBe(isProven)
  })
})

test('few conversions have figures of their own, a sentence for each comparison', () => {
  const sentences = (change: Partial<Results>) => plain(smallCountSentences({ ...results, ...change }, context.nameOf))
  expect(sentences({ metrics: [few(61, 9)] })).toEqual([
    'Purchase, Short form: between −3.0 points and +12.4 points; p-value 0.213.',
  ])
  const withoutP = withComparison({ smallCounts: { ciLow: -0.03, ciHigh: 0.124, fisherPValue: null } })
  expect(sentences({ metrics: [withoutP] })).toEqual(['Purchase, Short form: between −3.0 points and +12.4 points.'])
  expect(sentences({ metrics: [withComparison({ smallCounts: null })] })).toEqual([])
})

test.each([
  ['nothing is known', null, null, undefined],
  ['there are enough visitors', 15_000, null, undefined],
  [
    'there are too few',
    40_321,
    null,
    'A few visitors decide much of Revenue, so its intervals can be wrong with fewer than about 40,321 visitors in each variation. The smallest has 18,401. A metric with a cap needs fewer.',
  ],
  [
    'there are too few although the metric has a cap',
    40_321,
    80,
    'A few visitors decide much of Revenue, so its intervals can be wrong with fewer than about 40,321 visitors in each variation. The smallest has 18,401.',
  ],
])('skewed values, if %s', (_about, unitsForSkewness, winsorizedAt, words) => {
  const revenue = results.metrics[1]!
  const variations = revenue.variations.map((each) => ({ ...each, unitsForSkewness }))
  expect(skewnessWords({ ...revenue, winsorizedAt, variations })).toBe(words)
})

test.each([
  [
    'NEVER',
    {},
    ['No client has ever been connected to Production.', 'No exposure had arrived when this was computed.'],
  ],
  ['SILENT', {}, ['No client is connected to Production.', 'No exposure had arrived when this was computed.']],
  [
    'CONNECTED',
    { override: 3 },
    ['A client is connected to Production.', 'Exposures arrive, but only from visitors who do not count.'],
  ],
] as const)('why nobody is counted, if the clients are %s', (connection, seen, words) => {
  const waiting = { ...results, units: { ...nobody, excluded: { ...nobody.excluded, ...seen } } }
  expect(waitingChecks(waiting, connection, 'Production').map((each) => each.words)).toEqual([
    ...words,
    'A visitor counts only if the audience and the share of the test let them in.',
  ])
  expect(waitingChecks({ ...waiting, startedAt: null }, connection, 'Production')).toEqual([])
  const uncomputed = { ...waiting, units: nobody, dataThrough: null }
  expect(waitingChecks(uncomputed, connection, 'Production')[1]?.words).toBe(
    'Refresh to see whether exposures have arrived.',
  )
})

describe('health', () => {
  const check = (
    status: 'OK' | 'WARNING' | 'FAILED' | 'NOT_ENOUGH_DATA',
    more: Partial<Results['health']['checks'][number]>,
  ) => ({ check: 'SRM', status, ...more }) as Results['health']['checks'][number]
  const of = (...checks: Results['health']['checks']) =>
    healthOf({ health: { status: 'OK', checks }, units: results.units }, context.nameOf)

  test('fine checks are counted', () => {
    expect(healthOf(results, context.nameOf)).toMatchObject({ summary: '5 checks fine', tone: 'good', problems: [] })
    expect(plain(healthOf(results, context.nameOf).others.map(({ words }) => words))).toEqual([
      'The visitors are split as planned.',
      '0.03 % of the visitors were seen in several variations.',
      'Exposures arrive.',
      'The last complete day had 1,402 new visitors; the days before had about 1,400.',
      'Every variation gets visitors.',
    ])
  })

  test('problems come first, the worst on top, each with advice', () => {
    const health = of(
      check('WARNING', { check: 'BALANCE', pValue: 0.0004 }),
      check('OK', { check: 'NO_EXPOSURES' }),
      check('FAILED', { check: 'CROSSOVER', rate: 0.034, threshold: 0.01 }),
    )
    expect(health.summary).toBe('1 check failed, 1 warning, 1 check fine')
    expect(plain(health.problems.map(({ words }) => words))).toEqual([
      '3.4 % of the visitors were seen in several variations. More than 1.0 % is too many.',
      'The variations differed before the test. Chance alone does this less than once in 2,000 tests.',
    ])
    for (const { advice } of health.problems) expect(advice).toBeTruthy()
  })

  test.each([
    [check('FAILED', { check: 'NO_EXPOSURES' }), 'No exposure arrived in 6 hours, although clients are connected.'],
    [
      check('WARNING', { check: 'ADDRESS_SHARE', rate: 0.43, observed: 2_100, day: '2026-01-09' }),
      '43.0 % of about 2,100 visitors came from one network on 9 Jan.',
    ],
    [
      check('OK', { check: 'ADDRESS_SHARE', rate: 0.02, observed: 2_100, day: '2026-01-09' }),
      'At most 2.0 % of the visitors of a day came from one network.',
    ],
    [
      check('FAILED', { check: 'VARIATION_STARVED', variationIds: ['short'] }),
      'Short form has no visitors, although the others have many.',
    ],
    [
      check('FAILED', { check: 'TRAFFIC_DROP', observed: 310, expected: 1604.5 }),
      'The last complete day had 310 new visitors; the days before had about 1,605.',
    ],
    [
      check('FAILED', {
        check: 'CROSSOVER',
        rate: 0.034,
        threshold: 0.01,
        since: { revision: 1_012, publishedAt: '2026-11-20T10:00:00.000Z' },
      }),
      '3.4 % of the visitors were seen in several variations. More than 1.0 % is too many. It began with revision 1,012.',
    ],
    [check('NOT_ENOUGH_DATA', { check: 'TRAFFIC_DROP' }), 'There are too few visitors to tell.'],
  ])('%#: a check in words', (given, words) => {
    const { problems, others } = of(given)
    expect(plain([...problems, ...others].map((line) => line.words))).toEqual([words])
  })

  test('without exposures, nothing is checked', () => {
    const none = { health: { status: 'NOT_MEASURED' as const, checks: [] }, units: results.units }
    expect(healthOf(none, context.nameOf).summary).toBe('Nothing is checked, because this rule sends no exposures')
    expect(of().summary).toBe('Not enough visitors to check')
  })
})
