import { expect, it } from 'vitest'
import type { AbTestRule } from '../../model/versions/index.ts'
import { historyOf, type PastRule } from './history.ts'

const rule: AbTestRule = {
  id: 'r',
  key: 'test',
  shortId: 1,
  type: 'AB_TEST',
  name: 'Copy',
  description: null,
  audienceIds: [],
  conditions: { all: [] },
  bucketBy: 'targetingKey',
  trafficAllocation: 10_000,
  salt: 's',
  hashVersion: 1,
  hypothesis: null,
  variations: [
    { variationId: 'a', weight: 5_000 },
    { variationId: 'b', weight: 5_000 },
  ],
  baselineVariationId: 'a',
  metrics: { primary: [], secondary: [], guardrails: [] },
  statistics: { test: 'SEQUENTIAL', alpha: 0.05, correction: 'HOLM', cuped: false, conversionWindowHours: 168 },
  exclusion: null,
  holdout: null,
  sticky: false,
}
const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour))
const past = (revision: number, edit: Partial<AbTestRule> | null, served = true): PastRule => ({
  revision,
  at: at(revision),
  rule: edit && { ...rule, ...edit },
  served,
})
const summary = (...revisions: PastRule[]) => {
  const { phases, served } = historyOf(revisions)
  return {
    phases: phases.map(({ number, revision, startedAt, rule }) => [number, revision, startedAt, rule.name]),
    served: served.map(({ from, until }) => [from, until]),
  }
}

it('a rule that was never served has no phase', () => {
  expect(summary()).toEqual({ phases: [], served: [] })
  expect(summary(past(1, null, false), past(2, {}, false))).toEqual({ phases: [], served: [] })
})

it('an edit that moves nobody stays in the phase, which has the newest definition', () => {
  expect(summary(past(1, {}), past(2, { name: 'New name', trafficAllocation: 5_000 }))).toEqual({
    phases: [[1, 1, at(1), 'New name']],
    served: [[at(1), null]],
  })
})

it.each<[string, Partial<AbTestRule>]>([
  ['weights', { variations: [...rule.variations].reverse() }],
  ['salt', { salt: 'other' }],
  ['bucketing attribute', { bucketBy: 'account' }],
])('a new %s begins a phase', (_name, edit) => {
  expect(summary(past(1, {}), past(2, edit), past(3, edit)).phases).toEqual([
    [1, 1, at(1), 'Copy'],
    [2, 2, at(2), 'Copy'],
  ])
})

it('a split that changes during a pause begins a phase when the rule is served again', () => {
  expect(summary(past(1, {}), past(2, {}, false), past(3, { salt: 'x' }, false), past(4, { salt: 'x' }))).toEqual({
    phases: [
      [1, 1, at(1), 'Copy'],
      [2, 4, at(4), 'Copy'],
    ],
    served: [
      [at(1), at(2)],
      [at(4), null],
    ],
  })
})

it('a deleted rule is no longer served', () => {
  expect(summary(past(1, {}), past(2, null, false)).served).toEqual([[at(1), at(2)]])
})

it('a restart begins a phase within a revision, unless the split changed at the same time', () => {
  const restarts = [at(2), at(4)].map((time) => time.toISOString())
  const reweighted = { variations: [rule.variations[0]!, { variationId: 'b', weight: 4_000 }], restarts }
  expect(summary(past(1, {}), past(3, {}), past(4, reweighted)).phases).toEqual([
    [1, 1, at(1), 'Copy'],
    [2, 1, at(2), 'Copy'],
    [3, 4, at(4), 'Copy'],
  ])
})

it('results begin with the first phase, or with the last restart, also if the split changed at the same time', () => {
  const restarted = (...hours: number[]) => ({ restarts: hours.map((hour) => at(hour).toISOString()) })
  const other = { salt: 'other' }
  const begins = (...revisions: PastRule[]) => {
    const { begins, begin } = historyOf(revisions)
    expect(begin?.number).toBe(begins.at(-1))
    return begins
  }
  expect(begins(past(1, {}, false))).toEqual([])
  expect(begins(past(1, {}), past(2, other))).toEqual([1, 1])
  expect(begins(past(1, {}), past(3, restarted(2)))).toEqual([1, 2])
  expect(begins(past(1, {}), past(3, restarted(2)), past(4, { ...other, ...restarted(2) }))).toEqual([1, 2, 2])
  expect(begins(past(1, {}), past(2, { ...other, ...restarted(2) }))).toEqual([1, 2])
})
