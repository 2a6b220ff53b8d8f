import { describe, expect, it } from 'vitest'
import { type Propagated, type PropagationState, propagationState, propagationWords } from './propagation-words.ts'

describe('words of propagation', () => {
  it.each<[PropagationState, string, string]>([
    [{ kind: 'sent' }, 'note', 'Switching…'],
    [{ kind: 'spreading', has: 3, of: 12 }, 'note', '3 of 12 clients'],
    [{ kind: 'complete', of: 12, tookMs: 412 }, 'good', 'Live in 12 of 12 clients, 0.4 s'],
    [{ kind: 'complete', of: 1, tookMs: 6 }, 'good', 'Live in 1 of 1 client, under 0.1 s'],
    [{ kind: 'complete', of: 12, tookMs: null, silent: 2 }, 'good', 'Live in 12 of 12 clients; 2 without heartbeat'],
    [{ kind: 'complete', of: 1000, tookMs: null, full: true }, 'good', 'Live in 1,000 of at least 1,000 clients'],
    [
      { kind: 'late', has: 11, of: 12, behind: [{ client: 'web-7f3', seconds: 12 }] },
      'warning',
      '11 of 12: web-7f3 behind for 12 s',
    ],
    [
      { kind: 'late', has: 9, of: 12, behind: [{ client: 'web-7f3', seconds: 12 }], silent: 1 },
      'warning',
      '9 of 12: web-7f3 and 2 others behind for 12 s; 1 without heartbeat',
    ],
    [{ kind: 'late', has: 9, of: 12, behind: [] }, 'warning', '9 of 12: 3 behind'],
    [{ kind: 'nobody', environment: 'Production' }, 'note', 'Saved. No client is connected to Production.'],
    [{ kind: 'unsure' }, 'warning', 'It may not have arrived. Reading the state…'],
  ])('%j is %s: %s', (state, tone, words) => {
    expect(propagationWords(state)).toEqual({ tone, words })
  })
})

describe('the state of an answer', () => {
  const answer = (confirmed: number, behind: number, silent = 0): Propagated => ({
    complete: behind === 0,
    full: false,
    instances: { confirmed, behind, silent },
    behind: Array.from({ length: behind }, (_, index) => ({
      instanceId: index === 0 ? 'web-7f3' : null,
      sdkType: 'node',
      lastSeenAt: '2026-11-20T09:59:58.000Z',
      since: null,
    })),
    took: confirmed > 0 ? { lastMs: 400 } : null,
  })

  it.each<[string, Propagated, number, PropagationState]>([
    ['nobody', answer(0, 0, 3), 1000, { kind: 'nobody', environment: 'Staging' }],
    ['complete', answer(12, 0), 1000, { kind: 'complete', of: 12, full: false, silent: 0, tookMs: 400 }],
    ['spreading before 10 s', answer(11, 1), 9_999, { kind: 'spreading', has: 11, of: 12 }],
    [
      'late from 10 s on',
      answer(11, 1),
      10_000,
      { kind: 'late', has: 11, of: 12, full: false, silent: 0, behind: [{ client: 'web-7f3', seconds: 10 }] },
    ],
  ])('%s', (_, given, sinceMs, expected) => {
    expect(propagationState(given, sinceMs, 'Staging')).toEqual(expected)
  })

  it('names a client by what it is where its id was made up', () => {
    const given = answer(11, 1)
    const behind = given.behind.map((each) => ({ ...each, instanceId: '019a9f2c-67b1-7e01-8a2b-0c1d2e3f4a5b' }))
    expect(propagationState({ ...given, behind }, 10_000, 'Staging')).toMatchObject({
      behind: [{ client: 'a client (node)', seconds: 10 }],
    })
  })
})
