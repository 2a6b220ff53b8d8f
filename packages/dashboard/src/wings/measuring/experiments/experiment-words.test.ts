import { describe, expect, test } from 'vitest'
import type { Experiment } from './experiment.ts'
import {
  ageOf,
  glanceOf,
  healthGlance,
  liftGlanceOf,
  matching,
  partOf,
  type Step,
  scheduledWords,
  steps,
  stepsOf,
  winnerOffer,
} from './experiment-words.ts'
import type { Part } from './status-in.ts'

type Status = Experiment['status']
const now = new Date('2026-01-20T12:00:00Z')

test('every step says what it does, with the place where it does it', () => {
  for (const step of new Set(Object.values(stepsOf).flat())) {
    const { consequence } = steps[step]
    expect(consequence({ name: 'Shorter form', place: 'Production', original: 'Long form' })).toMatch(
      /Production|Shorter form/,
    )
  }
})

test('only what runs can be paused, and what runs cannot be archived', () => {
  const having = (step: Step) =>
    Object.entries(stepsOf).flatMap(([status, all]) => (all.includes(step) ? [status] : []))
  expect(having('pause')).toEqual(['RUNNING'])
  expect(having('archive')).toEqual(['DRAFT', 'PAUSED', 'COMPLETED'])
})

test.each<[Status, string | null, string | null, string]>([
  ['DRAFT', null, null, 'Not launched'],
  ['ARCHIVED', null, null, 'Never launched'],
  ['RUNNING', '2026-01-20T11:00:00Z', null, 'Day 1'],
  ['PAUSED', '2026-01-08T11:00:00Z', null, 'Day 13'],
  ['COMPLETED', '2026-01-01T00:00:00Z', '2026-01-15T00:00:00Z', 'Ended after 14 days'],
])('%s since %s until %s is “%s”', (status, launchedAt, completedAt, words) =>
  expect(ageOf({ status, launchedAt, completedAt, results: null }, now)).toBe(words),
)

describe('the list', () => {
  const one = (name: string, status: Status, more: Partial<Experiment> = {}) =>
    ({ name, status, hypothesis: null, tags: [], createdAt: '2026-01-01', ...more }) as Experiment
  const all = [
    one('Old', 'ARCHIVED'),
    one('Draft', 'DRAFT', { tags: ['checkout'] }),
    one('First', 'RUNNING'),
    one('Second', 'RUNNING', { createdAt: '2026-01-02', hypothesis: 'A shorter form' }),
  ]
  const names = (text: string, part: Part) => matching(all, { text, part }).map(({ name }) => name)

  test('shows a part: what runs or pauses, else the first part that has something', () => {
    const paused = one('Paused', 'PAUSED', { createdAt: '2026-02-01' })
    expect(matching([paused, ...all], { text: '', part: 'RUNNING' }).map(({ name }) => name)).toEqual([
      'Second',
      'First',
      'Paused',
    ])
    expect([names('', 'DRAFT'), names('', 'ARCHIVED')]).toEqual([['Draft'], ['Old']])
    expect([partOf(all, undefined), partOf(all.slice(0, 2), undefined), partOf([], undefined)]).toEqual([
      'RUNNING',
      'DRAFT',
      'RUNNING',
    ])
    expect(partOf(all, 'COMPLETED')).toBe('COMPLETED')
  })

  test('looks in names, hypotheses and tags', () => {
    expect([names('FIRST', 'RUNNING'), names('shorter', 'RUNNING'), names('check', 'DRAFT')]).toEqual([
      ['First'],
      ['Second'],
      ['Draft'],
    ])
    expect(names('draft', 'RUNNING')).toEqual([])
  })
})

describe('at a glance', () => {
  type Summary = NonNullable<Experiment['results']>
  const summary = (
    action: NonNullable<Summary['recommendation']>['action'],
    reasons: NonNullable<Summary['recommendation']>['reasons'] = [],
    more: Partial<Summary> = {},
  ) =>
    ({
      units: 200,
      health: { status: 'OK', failed: [] },
      progress: null,
      recommendation: { action, reasons, variationId: 'v-2' },
      ...more,
    }) as Summary
  const launched = {
    launchedAt: '2026-01-08T11:00:00Z',
    completedAt: null,
    winner: null,
    variations: [
      { id: 'v-1', key: 'off', name: 'Long form' },
      { id: 'v-2', key: 'on', name: 'Short form' },
    ],
    statistics: { test: 'SEQUENTIAL' },
    results: null,
  } as unknown as Experiment
  const harmful = (action: 'ROLLBACK' | 'REVIEW' | 'UNHEALTHY', more: Partial<Summary> = {}) => {
    const breached = ['Bounces', 'Errors', 'Bounces'].map((name) => ({ metricId: name, name, variationId: 'v-2' }))
    const recommendation = { action, variationId: null, reasons: ['GUARDRAIL_BREACHED' as const], breached }
    return summary(action, [], { recommendation, ...more })
  }
  const fixed = { statistics: { test: 'FIXED_HORIZON' } as Experiment['statistics'] }
  const failed: Partial<Summary> = { health: { status: 'FAILED', failed: ['SRM'] } }

  test.each<[string, Partial<Experiment>]>([
    ['None yet', { launchedAt: null }],
    ['Waiting for the first visitor', {}],
    ['Waiting for the first visitor', { results: summary('KEEP_RUNNING', ['NO_EXPOSURES'], { units: 0 }) }],
    ['Do not use these results', { results: summary('UNHEALTHY', ['HEALTH_FAILED'], failed) }],
    ['Short form is better', { results: summary('SHIP', ['PRIMARY_BETTER']) }],
    ['Better, but check', { results: summary('REVIEW') }],
    ['Worse than the baseline', { results: summary('ROLLBACK') }],
    ['Short form makes Bounces and Errors worse', { results: harmful('ROLLBACK') }],
    ['Short form makes Bounces and Errors worse', { results: harmful('REVIEW') }],
    ['Do not use these results', { results: harmful('UNHEALTHY', failed) }],
    ['Waiting for the last conversions', { results: summary('KEEP_RUNNING', ['WINDOWS_OPEN']) }],
    ['No effect shown', { results: summary('NO_EFFECT') }],
    [
      'No effect of the planned size',
      {
        results: summary('NO_EFFECT', [], { progress: { plannedUnitsPerVariation: 200 } as Summary['progress'] }),
      },
    ],
    ['No primary metric', { results: summary('KEEP_RUNNING', ['NO_PRIMARY_METRIC']) }],
    [
      'Collecting data',
      {
        results: summary('KEEP_RUNNING', ['NOT_ENOUGH_DATA', 'MIN_RUNTIME_NOT_REACHED', 'PLANNED_SAMPLE_NOT_REACHED']),
      },
    ],
    ['Collecting data', { results: summary('NO_EFFECT', ['NOT_ENOUGH_DATA', 'PLANNED_SAMPLE_REACHED']) }],
    [
      'Paused with too little data',
      { results: summary('KEEP_RUNNING', ['NOT_ENOUGH_DATA', 'MIN_RUNTIME_NOT_REACHED']), status: 'PAUSED' },
    ],
    [
      'Collecting data',
      {
        results: summary('KEEP_RUNNING', ['NOT_ENOUGH_DATA', 'PLANNED_SAMPLE_NOT_REACHED']),
        statistics: { test: 'FIXED_HORIZON' } as Experiment['statistics'],
      },
    ],
    ['Too early to tell', { results: summary('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED']) }],
    ['No difference shown yet', { results: summary('KEEP_RUNNING', ['PLANNED_SAMPLE_NOT_REACHED']) }],
    [
      'Opens at its end',
      {
        results: summary('KEEP_RUNNING', ['PLANNED_SAMPLE_NOT_REACHED']),
        statistics: { test: 'FIXED_HORIZON' } as Experiment['statistics'],
      },
    ],
    [
      'Ended without a verdict',
      {
        results: summary('KEEP_RUNNING', ['PLANNED_SAMPLE_NOT_REACHED']),
        ...{
          statistics: { test: 'FIXED_HORIZON' } as Experiment['statistics'],
          completedAt: '2026-03-01T00:00:00.000Z',
        },
      },
    ],
    [
      'Winner: Short form',
      { winner: { variationKey: 'on' } as Experiment['winner'], results: summary('UNHEALTHY', [], failed) },
    ],
  ])('“%s”', (words, more) => {
    const { tone, words: said } = glanceOf({ ...launched, ...more })
    expect(said).toBe(words)
    expect(tone === 'good').toBe(words === 'Short form is better')
    expect(tone === 'bad').toBe(/^Do not use|^Worse| worse$/.test(words))
  })

  test.each([
    ['Ended without a visitor', summary('KEEP_RUNNING', ['NO_EXPOSURES'], { units: 0 })],
    ['Ended with too little data', summary('NO_EFFECT', ['NOT_ENOUGH_DATA', 'PLANNED_SAMPLE_REACHED'])],
    ['Ended too early to tell', summary('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED'])],
    ['No primary metric', summary('KEEP_RUNNING', ['NO_PRIMARY_METRIC'])],
  ])('of a test that has ended: “%s”', (words, results) => {
    expect(glanceOf({ ...launched, completedAt: '2026-01-15T00:00:00Z', results }).words).toBe(words)
  })

  const compared = (variationId: string, estimate: number, significant = false, status = 'ok') => ({
    ...{ variationId, significant, status },
    lift: { estimate, ciLow: estimate - 0.1, ciHigh: estimate + 0.1, method: 'FIELLER' },
  })
  const primary = (...variations: object[]) =>
    ({ metricId: 'm', name: 'Order paid', direction: 'INCREASE', variations }) as Summary['primaryMetric']
  const final = { progress: { stage: 'FINAL' } as Summary['progress'] }

  test.each<[string | undefined, Partial<Summary>, Partial<Experiment>?]>([
    ['Order paid +12.0 %, +2.0 % to +22.0 %', { primaryMetric: primary(compared('v-2', 0.12)) }],
    // The one that differs, although the other has a higher estimate.
    [
      'Order paid +12.0 %, +2.0 % to +22.0 %',
      { primaryMetric: primary(compared('v-1', 0.2), compared('v-2', 0.12, true)) },
    ],
    [undefined, { primaryMetric: null }],
    [undefined, { primaryMetric: primary(compared('v-2', 0.12, false, 'insufficient_data')) }],
    [undefined, { ...failed, primaryMetric: primary(compared('v-2', 0.12)) }],
    [undefined, { primaryMetric: primary(compared('v-2', 0.12)) }, fixed],
    ['Order paid +12.0 %, +2.0 % to +22.0 %', { ...final, primaryMetric: primary(compared('v-2', 0.12)) }, fixed],
  ])('the lift in the list: %s', (words, more, change = {}) => {
    const lift = liftGlanceOf({ ...launched, ...change, results: summary('KEEP_RUNNING', [], more) })
    expect(lift && `${lift.words}, ${lift.interval}`.replaceAll('\u00a0', ' ')).toBe(words)
  })

  test('a clear difference of the first days is told as on the page', () => {
    const early = (lift: number) =>
      summary('KEEP_RUNNING', ['MIN_RUNTIME_NOT_REACHED'], { primaryMetric: primary(compared('v-2', lift, true)) })
    const said = (change: Partial<Experiment>) => glanceOf({ ...launched, ...change }).words
    expect(said({ results: early(0.2) })).toBe('Ahead so far')
    expect(said({ results: early(-0.2), completedAt: '2026-03-01T00:00:00.000Z' })).toBe(
      'Behind, but it ended too early',
    )
  })

  test('a winner is offered as the results advise', () => {
    const running = { ...launched, status: 'RUNNING' } as Experiment
    const offered = (change: Partial<Experiment>) => winnerOffer({ ...running, ...change })
    expect(offered({ results: summary('SHIP') })).toBe('advised')
    expect(offered({ results: summary('KEEP_RUNNING') })).toBe('warned')
    expect(offered({ results: null })).toBe('warned')
    expect(offered({ results: summary('UNHEALTHY', [], failed) })).toBe('refused')
    const chosen = (rolledOut: boolean) => ({ winner: { variationKey: 'on', rolledOut } as Experiment['winner'] })
    expect(offered({ status: 'COMPLETED', ...chosen(false) })).toBe('warned')
    expect(offered({ status: 'COMPLETED', ...chosen(true) })).toBeUndefined()
    expect(offered({ status: 'ARCHIVED', results: summary('SHIP') })).toBeUndefined()
    expect(offered({ status: 'DRAFT', launchedAt: null })).toBeUndefined()
  })

  test('the checks have words, and an unknown end has none', () => {
    expect(healthGlance({ results: summary('UNHEALTHY', [], failed) })).toEqual({
      tone: 'bad',
      words: 'Split of the visitors',
    })
    expect(healthGlance({ results: null })).toBeUndefined()
    expect(healthGlance({ results: harmful('ROLLBACK') })).toEqual({ tone: 'bad', words: 'Guardrail breached' })
    const progress = { estimatedDaysRemaining: 26 } as Summary['progress']
    const running = { status: 'RUNNING', launchedAt: '2026-01-08T11:00:00Z', completedAt: null } as const
    expect(ageOf({ ...running, results: summary('KEEP_RUNNING', [], { progress }) }, now)).toBe('Day 13 of about 39')
  })
})

test.each<['RUN' | 'PAUSE', Status, RegExp]>([
  ['RUN', 'DRAFT', /draft of the experiment at that time is launched/],
  ['RUN', 'PAUSED', /is resumed/],
  ['RUN', 'RUNNING', /is already running/],
  ['PAUSE', 'RUNNING', /stops in Production/],
  ['PAUSE', 'DRAFT', /Nothing changes then/],
])('a scheduled %s of an experiment that is %s', (action, status, words) => {
  const about = { status, flag: 'Checkout', place: 'Production' }
  expect(scheduledWords(action, { ...about, isPaused: false })).toMatch(words)
  const warns = action === 'RUN' && status !== 'RUNNING'
  expect(scheduledWords(action, { ...about, isPaused: true }).includes('Checkout is paused')).toBe(warns)
})
