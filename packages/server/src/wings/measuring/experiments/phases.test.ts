import { expect, test } from 'vitest'
import type { AbTestRule } from '../../model/versions/index.ts'
import { phasesOf } from './phases.ts'

const test1 = {
  type: 'AB_TEST',
  salt: 's',
  bucketBy: 'targetingKey',
  trafficAllocation: 10_000,
  variations: [
    { variationId: 'a', weight: 5000 },
    { variationId: 'b', weight: 5000 },
  ],
} as AbTestRule
const reweighted = {
  ...test1,
  variations: [
    { variationId: 'a', weight: 1000 },
    { variationId: 'b', weight: 9000 },
  ],
}

const at = (day: number) => new Date(Date.UTC(2026, 10, day))

test.each<[string, AbTestRule]>([
  ['SPLIT_CHANGED', reweighted],
  ['BUCKETING_CHANGED', { ...test1, salt: 't' }],
  ['BUCKETING_CHANGED', { ...reweighted, bucketBy: 'company' }],
  ['RESTARTED', test1],
])('a second phase: %s', (reason, rule) => {
  const past = [test1, rule].map((rule, index) => ({ startedAt: at(index + 1), revision: index + 4, rule }))
  const [first, second] = phasesOf(past)
  expect(first).toMatchObject({ phase: 1, reason: 'LAUNCHED', revision: 4, endedAt: at(2).toISOString() })
  expect(second).toMatchObject({ phase: 2, reason, revision: 5, startedAt: at(2).toISOString(), endedAt: null })
})

test('an experiment that was never launched has none', () => {
  expect(phasesOf([])).toEqual([])
})
