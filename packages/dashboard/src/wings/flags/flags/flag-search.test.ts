import { expect, it } from 'vitest'
import { beside, flagPageSearch } from './flag-search.ts'

it.each<[Record<string, unknown>, object]>([
  [
    { env: 'production', view: 'live', junk: 1 },
    { env: 'production', view: 'live' },
  ],
  [{ env: 7, view: 'draft', rule: '', schedule: 1, panel: 'other', ask: 'stop' }, {}],
  [
    { rule: 'new-rollout', schedule: 'flag', ask: 'pause' },
    { rule: 'new-rollout', schedule: 'flag', ask: 'pause' },
  ],
  [{ panel: 'always', visitor: { targetingKey: 'u-17' } }, { panel: 'always' }],
  [
    { env: 'production', panel: 'try', flag: 'other', visitor: { targetingKey: 'u-17' }, draft: true },
    { env: 'production', panel: 'try', visitor: { targetingKey: 'u-17' }, draft: true },
  ],
])('the address of a flag with %j shows %j', (search, shown) => expect(flagPageSearch(search)).toEqual(shown))

it('a panel that opens beside a flag replaces the open one', () => {
  const open = { env: 'production', view: 'live', rule: 'r1', panel: 'try', visitor: {}, draft: true } as const
  expect(beside({ panel: 'always' })(open)).toEqual({ env: 'production', view: 'live', panel: 'always' })
})
