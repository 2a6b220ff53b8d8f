import { expect, it } from 'vitest'
import type { Change, Plan } from './plan.ts'
import { basisOf, movedSince, type SavedPlan, savedPlanIn } from './saved-plan.ts'
import type { State } from './state.ts'

const change = (kind: Change['kind'], key: string, from: unknown = 1, env?: string): Change => ({
  ...{ action: 'update', kind, key, live: 'AT_ONCE' },
  ...(env !== undefined && { env }),
  fields: [{ path: 'name', from, to: 2 }],
})
const planOf = (changes: Change[], publishes: Plan['publishes'] = []): Plan => ({
  ...{ changes, publishes, drift: [], unmanaged: [], conflicts: [], summary: '' },
})
const stateOf = (flags: Record<string, string>, staged: Record<string, string>) =>
  ({
    flags: Object.fromEntries(Object.entries(flags).map(([key, etag]) => [key, { etag }])),
    staged: Object.fromEntries(Object.entries(staged).map(([env, etag]) => [env, { etag }])),
  }) as unknown as State

const changes = [change('segments', 'vip'), change('flags', 'copy', 1, 'production')]
const plan = planOf(changes, [
  { env: 'production', flags: ['copy', 'sort'] },
  { env: 'staging', flags: null },
])
const tags = { copy: '"1"', sort: '"4"', other: '"9"' }
const basis = basisOf(plan, stateOf(tags, { production: '"p"', staging: '"s"' }))

it('the basis has the flags that change or are published, and the lists that are published whole', () => {
  expect(basis).toEqual({ flags: { copy: '"1"', sort: '"4"' }, staged: { staging: '"s"' } })
  expect(basisOf(planOf([change('rules', 'sort/staff'), change('flags', 'new')]), stateOf(tags, {}))).toEqual({
    flags: { sort: '"4"' },
    staged: {},
  })
})

it.each<[string, Plan, Record<string, string>, string, string[]]>([
  ['nothing', plan, {}, '"s"', []],
  ['a flag outside of the plan', plan, { other: '"10"' }, '"s"', []],
  ['a flag of the plan', plan, { copy: '"2"' }, '"s"', ['flags copy']],
  ['a flag that is only published', plan, { sort: '"5"' }, '"s"', ['flags sort']],
  ['a list that is published whole', plan, {}, '"t"', ['the staged changes in staging']],
  [
    'the value that a field had',
    { ...plan, changes: [change('segments', 'vip', 0), changes[1]!] },
    {},
    '"s"',
    ['segments vip'],
  ],
  ['a change that somebody has made', { ...plan, changes: [changes[1]!] }, {}, '"s"', ['segments vip']],
  [
    'a new conflict',
    { ...plan, conflicts: [{ kind: 'flags', key: 'copy', message: 'it is archived' }] },
    {},
    '"s"',
    ['flags copy'],
  ],
  [
    'drift and what the file does not mention',
    { ...plan, unmanaged: [{ kind: 'flags', key: 'x', message: '' }] },
    {},
    '"s"',
    [],
  ],
])('%s moves', (_what, now, other, staging, moved) => {
  const state = stateOf({ ...tags, ...other }, { production: '"q"', staging })
  expect(movedSince({ plan, basis }, now, basisOf(now, state))).toEqual(moved)
})

it('a saved plan is known by its beginning, and a broken one is refused', () => {
  const saved: SavedPlan = {
    ...{ svcPlan: 1, url: 'u', project: 'p', file: 'svc.yaml', text: 'version: 1', choices: {}, plan, basis },
  }
  expect(savedPlanIn('a', JSON.stringify(saved, null, 2))).toEqual(saved)
  expect(savedPlanIn('a', 'version: 1\n')).toBeUndefined()
  expect(savedPlanIn('a', '{ "version": 1 }')).toBeUndefined()
  expect(() => savedPlanIn('plan.json', '{ "svcPlan": 1,')).toThrow('plan.json is not valid JSON')
  expect(() => savedPlanIn('plan.json', '{ "svcPlan": 2 }')).toThrow(
    'plan.json is not a plan that this version of svc can read',
  )
})
