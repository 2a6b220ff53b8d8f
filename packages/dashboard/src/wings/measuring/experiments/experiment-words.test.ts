import { describe, expect, test } from 'vitest'
import type { Experiment } from './experiment.ts'
import { ageOf, matching, type Step, steps, stepsOf } from './experiment-words.ts'

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
  expect(ageOf({ status, launchedAt, completedAt }, now)).toBe(words),
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
  const names = (text: string, status?: Status) => matching(all, { text, status }).map(({ name }) => name)

  test('has what runs first, and what is archived only on request', () => {
    expect(names('')).toEqual(['Second', 'First', 'Draft'])
    expect(names('', 'ARCHIVED')).toEqual(['Old'])
  })

  test('looks in names, hypotheses and tags', () => {
    expect([names('FIRST'), names('shorter'), names('check')]).toEqual([['First'], ['Second'], ['Draft']])
    expect(names('draft', 'RUNNING')).toEqual([])
  })
})
