import { describe, expect, it } from 'vitest'
import { type FlagInEnvironment, latestAuthor, liveRows, moved, type Rule, ruleRows, ruleState } from './rule-rows.ts'

const rule = (id: string, more = {}) => ({ id, name: id, trafficAllocation: 10_000, ...more })
const flag = (live: object[], draft: object[], changes: object[] = []) =>
  ({ live: { rules: live }, draft: { rules: draft }, changes }) as unknown as FlagInEnvironment
const on = (...ids: string[]) => ids.map((id) => ({ id, enabled: true })) as unknown as Rule[]

describe('the rules of a flag', () => {
  it('are in the order of the draft, with their states', () => {
    const changes = [{ path: 'rules.b.trafficAllocation' }, { path: 'rules.c' }, { path: 'rules.bb.name' }]
    const rows = ruleRows(
      flag([rule('a'), rule('b')], [rule('b', { trafficAllocation: 1 }), rule('a'), rule('c')], changes),
      [],
    )
    expect(rows.map(({ id, state, changes }) => [id, state, changes.map(({ path }) => path)])).toEqual([
      ['b', 'edited', ['rules.b.trafficAllocation']],
      ['a', 'live', []],
      ['c', 'new', ['rules.c']],
    ])
  })

  it.each([
    ['a', ['a', 'b', 'c']],
    ['b', ['a', 'b', 'c']],
    ['c', ['a', 'b', 'c']],
  ])('keep the place of %s, which is deleted in the draft', (deleted, order) => {
    const live = order.map((id) => rule(id))
    const rows = ruleRows(
      flag(
        live,
        live.filter(({ id }) => id !== deleted),
      ),
      [],
    )
    expect(rows.map(({ id, state }) => [id, state])).toEqual(
      order.map((id) => [id, id === deleted ? 'deleted' : 'live']),
    )
  })

  it('show only what is live on request', () => {
    const rows = liveRows(flag([rule('a')], [rule('b'), rule('a', { name: 'new name' })], [{ path: 'rules.b' }]), [])
    expect(rows.map(({ shown, state }) => [shown.name, state])).toEqual([['a', 'live']])
  })

  it.each([
    ['new', true, 'DRAFT'],
    ['running', true, 'RUNNING'],
    ['running', false, 'WAITING'],
    ['paused', true, 'PAUSED'],
  ])('say what they do: %s, flag running %s', (id, isFlagRunning, expected) => {
    const rows = ruleRows(
      flag([rule('running'), rule('paused')], [rule('running'), rule('paused'), rule('new')]),
      on('running', 'new'),
    )
    expect(ruleState(rows.find((row) => row.id === id)!, isFlagRunning)).toBe(expected)
  })

  it('have ended with their experiments', () => {
    const ended = [{ id: 'a', enabled: false, status: 'COMPLETED' }] as unknown as Rule[]
    expect(ruleState(ruleRows(flag([rule('a')], [rule('a')]), ended)[0]!, true)).toBe('COMPLETED')
  })
})

it.each([
  ['a', 1, ['b', 'a', 'c']],
  ['c', -1, ['a', 'c', 'b']],
  ['a', -1, undefined],
  ['c', 1, undefined],
  ['x', 1, undefined],
] as const)('a rule moves: %s by %i', (id, step, expected) => {
  expect(moved([{ id: 'a' }, { id: 'b' }, { id: 'c' }], id, step)).toEqual(expected)
})

it('the list finds who made the latest change', () => {
  const change = (name: string | null, at: string | null) => ({ by: name === null ? null : { name }, at }) as never
  expect(latestAuthor([change('Ada', '2026-01-01'), change('Bo', '2026-01-02'), change(null, null)])).toEqual({
    name: 'Bo',
    at: '2026-01-02',
  })
  expect(latestAuthor([])).toBeUndefined()
})
