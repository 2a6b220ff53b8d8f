import { compile, type DataFile } from '@svc/core'
import { expect, test } from 'vitest'
import { comparison, refusesEvaluations, type Side } from './compare.ts'

const side = (defaults: Record<string, string>, value = 'one'): Side => {
  const flags = Object.entries(defaults).map(([key, defaultVariation]) => [
    key,
    { id: key, type: 'STRING', enabled: true, variations: { a: value, b: 'two' }, defaultVariation },
  ])
  const file: DataFile = {
    schemaVersion: 1,
    revision: 0,
    environment: { id: '', key: '' },
    publishedAt: null,
    audiences: {},
    exclusionGroups: {},
    events: {},
    flags: Object.fromEntries(flags),
  }
  return { file, evaluator: compile(file) }
}
const flags = ['x', 'y'].map((key) => ({ flagId: `id of ${key}`, experimentId: null, key }))
function compared(live: Side, staged: Side) {
  const { add, preview } = comparison(flags, live, staged)
  for (const targetingKey of ['1', '2', '3', '4']) add({ targetingKey }, 0)
  return preview()
}

test('visitors who get another variation are counted once, by flag and move, with three examples', () => {
  const move = { from: 'a', to: 'b', visitors: 4, ruleId: null, examples: ['1', '2', '3'] }
  expect(compared(side({ x: 'a', y: 'a' }), side({ x: 'b', y: 'b' }))).toEqual({
    visitors: 4,
    changed: 4,
    flags: flags.map((flag) => ({ ...flag, changed: 4, moves: [move] })),
  })
})

test('a flag that changes for no visitor has no moves', () => {
  const { changed, flags } = compared(side({ x: 'a', y: 'a' }), side({ x: 'a', y: 'b' }))
  expect([changed, flags.map((flag) => [flag.key, flag.changed, flag.moves.length])]).toEqual([
    4,
    [
      ['x', 0, 0],
      ['y', 4, 1],
    ],
  ])
})

test('a variation with another value is a move from the variation to itself', () => {
  const { flags } = compared(side({ x: 'a', y: 'b' }), side({ x: 'a', y: 'b' }, 'changed'))
  expect(flags).toMatchObject([{ changed: 4, moves: [{ from: 'a', to: 'a', visitors: 4 }] }, { changed: 0 }])
})

test('a preview can have up to a million evaluations', () => {
  expect(refusesEvaluations(100, 10_000)).toBeUndefined()
  expect(refusesEvaluations(101, 10_000)).toMatchObject({
    refusal: 'validation_failed',
    details: { issues: [{ path: ['visitors'], message: expect.stringContaining('at most 100 flags (got 101)') }] },
  })
})
