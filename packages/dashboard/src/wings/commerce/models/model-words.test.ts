import { describe, expect, test } from 'vitest'
import type { ModelRun } from './model.ts'
import {
  actionsInWords,
  beside,
  canServe,
  datasetKindOf,
  shareInWords,
  stateOf,
  verdictOf,
  whyNot,
} from './model-words.ts'

const none = { recall20: null, ndcg20: null, hitRate20: null, mrr20: null }
const measured = (recall20: number, popular: number) => ({
  ...{ ...none, recall20, coverage20: 0.4, fallbackShare: 0 },
  popular: { ...none, recall20: popular, coverage20: 0.1, fallbackShare: 0 },
})
const sessions = {
  ...{ ...none, mrr20: 0.3286, hitRate20: 0.64, coverage20: 0.4, fallbackShare: 0 },
  popular: { ...none, mrr20: 0.05, hitRate20: 0.1, coverage20: 0.1, fallbackShare: 0 },
}
const run: ModelRun = {
  ...{ id: 'r', number: 3, jobId: 'j', status: 'SUCCEEDED', startedAt: '2026-12-01T03:45:00.000Z', endedAt: null },
  ...{ metrics: null, products: 200, bytes: 1, activated: false, activatedAt: null, reason: null },
}

test.each([
  [0, '0\u00a0%'],
  [0.18, '18\u00a0%'],
  [0.1829, '18.3\u00a0%'],
  [0.0004, '0.04\u00a0%'],
  [1, '100\u00a0%'],
])('the share %s reads %s', (share, words) => expect(shareInWords(share)).toBe(words))

describe('a figure is beside the popular products', () => {
  test.each([
    [measured(0.18, 0.12), 'BETTER'],
    [measured(0.12, 0.18), 'WORSE'],
    [measured(0.12, 0.12), 'EQUAL'],
  ] as const)('%# as %s', (metrics, verdict) => {
    expect(beside(metrics, 'recall20')?.verdict).toBe(verdict)
  })

  test('and a mean keeps three digits', () => {
    expect(beside(sessions, 'mrr20')).toEqual({ own: '0.329', popular: '0.050', verdict: 'BETTER' })
  })

  test('unless it was not measured', () => {
    expect(beside(null, 'recall20')).toBeUndefined()
    expect(beside(measured(0.18, 0.12), 'mrr20')).toBeUndefined()
  })
})

test.each([
  [
    'a better run',
    measured(0.18, 0.12),
    'Better than the popular products',
    'Of what visitors took up later, 18\u00a0% was among the best 20, and 12\u00a0% with the popular products. That is 1.5 times as much.',
  ],
  [
    'a worse run',
    measured(0.06, 0.12),
    'Worse than the popular products',
    'Of what visitors took up later, 6\u00a0% was among the best 20, and 12\u00a0% with the popular products. That is 0.5 times as much.',
  ],
  [
    'a run that is hardly better',
    measured(0.1204, 0.12),
    'Better than the popular products',
    'Of what visitors took up later, 12\u00a0% was among the best 20, and 12\u00a0% with the popular products.',
  ],
  [
    'a run beside nothing',
    measured(0, 0),
    'As good as the popular products',
    'Of what visitors took up later, 0\u00a0% was among the best 20, and 0\u00a0% with the popular products.',
  ],
  [
    'a run of sessions',
    sessions,
    'Better than the popular products',
    'MRR, which says how far up the next product of a session is: 0.329, and 0.050 with the popular products. That is 6.57 times as much.',
  ],
])('%s says whether it beats the popular products', (_, metrics, title, words) => {
  expect(verdictOf({ metrics })).toMatchObject({ title, words })
})

test('a run without figures has no verdict', () => expect(verdictOf(run)).toBeUndefined())

const live = '2026-12-01T04:00:00.000Z'
test.each([
  ['serves', { activated: true, activatedAt: live, reason: 'held' }, 'SERVING', false, ''],
  ['was refused', { reason: 'The model has no product.' }, 'SUCCEEDED', true, 'The model has no product.'],
  ['served', { activatedAt: live }, 'SUCCEEDED', true, 'A later run took its place, or a person chose another one.'],
  ['failed', { status: 'FAILED' as const, reason: 'Out of memory.' }, 'FAILED', false, 'Out of memory.'],
  ['goes on', { status: 'RUNNING' as const }, 'RUNNING', false, ''],
] as const)('a run that %s', (_, more, state, can, why) => {
  const one = { ...run, ...more }
  expect([stateOf(one), canServe(one), whyNot(one)]).toEqual([state, can, why])
})

test('a strategy that reads events or the catalog needs no dataset', () => {
  expect(datasetKindOf('POPULAR')).toBeUndefined()
  expect(datasetKindOf('SIMILAR')).toBeUndefined()
  expect(datasetKindOf('FOR_YOU')).toBe('INTERACTIONS')
  expect(datasetKindOf('IMPORTED')).toBe('NEIGHBOURS')
})

test('events read with their weights', () => {
  expect(actionsInWords({ order: 5, product_viewed: 1 })).toBe('product_viewed × 1, order × 5')
})
