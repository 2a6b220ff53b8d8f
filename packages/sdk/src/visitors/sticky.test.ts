import { compile, type EvaluationContext } from '@svc/core'
import { expect, test } from 'vitest'
import { clientOfTest } from '../../test/client.ts'
import { keepIn, type StickyStore } from './sticky.ts'

const fileOf = (offShare: number, more: object = {}, variations: object = { on: 'true', off: 'false' }) => ({
  schemaVersion: 1 as const,
  revision: 1,
  environment: { id: 'e1', key: 'production' },
  publishedAt: null,
  audiences: {},
  exclusionGroups: {},
  events: {},
  flags: {
    flag: {
      id: '1',
      type: 'BOOLEAN' as const,
      enabled: true,
      variations: variations as Record<string, string>,
      defaultVariation: 'off',
      rules: [
        {
          id: '7',
          type: 'AB_TEST' as const,
          salt: 'r1',
          sticky: true,
          split: [
            { variation: 'off', end: offShare },
            { variation: 'on', end: 10_000 },
          ],
          ...more,
        },
      ],
    },
  },
})

const warned: string[] = []
const keeper = (stickyStore: StickyStore | undefined) =>
  keepIn({ stickyStore, warn: async (message) => void warned.push(message) }, () => 'e1')
const variationOf = (file: ReturnType<typeof fileOf>, keep: ReturnType<typeof keeper>, context: EvaluationContext) =>
  compile(file, Date.now, keep).evaluate('flag', context).variationKey
const visitor = { targetingKey: 'u-1' }

test('a visitor keeps the variation after the weights have changed, while it is in the split', () => {
  const kept = new Map<string, string>()
  const keep = keeper(kept)
  expect(variationOf(fileOf(10_000), keep, visitor)).toBe('off')
  expect([...kept]).toEqual([['e1.7.u-1', 'off']])
  expect(variationOf(fileOf(0), keep, visitor)).toBe('off')
  expect(variationOf(fileOf(0), keep, { targetingKey: 'u-2' })).toBe('on')
  const without = fileOf(
    0,
    {
      split: [
        { variation: 'third', end: 10_000 - 1 },
        { variation: 'on', end: 10_000 },
      ],
    },
    { on: 'true', off: 'false', third: 'true' },
  )
  expect(variationOf(without, keep, visitor)).toBe('third')
  expect(kept.get('e1.7.u-1')).toBe('third')
})

test('a client with a renewed key of the environment keeps what a client with the old key has kept', () => {
  const stickyStore = new Map<string, string>()
  const variationFrom = (sdkKey: string, bootstrap: ReturnType<typeof fileOf>) =>
    clientOfTest({ sdkKey, bootstrap, stickyStore, offline: true }).client.getBoolean('flag', false, visitor)
  expect(variationFrom('sdk_1', fileOf(0))).toBe(true)
  expect(variationFrom('sdk_2', fileOf(10_000 - 1))).toBe(true)
  const elsewhere = { ...fileOf(10_000 - 1), environment: { id: 'e2', key: 'development' } }
  expect(variationFrom('sdk_2', elsewhere)).toBe(false)
})

test('the unit of the rule is kept, and rules that are not sticky keep nothing', () => {
  const kept = new Map<string, string>()
  variationOf(fileOf(0, { bucketBy: ['account'] }), keeper(kept), { ...visitor, account: 'acme' })
  variationOf(fileOf(0, { sticky: false }), keeper(kept), visitor)
  variationOf(fileOf(0, { traffic: 0 }), keeper(kept), visitor)
  expect([...kept.keys()]).toEqual(['e1.7.acme'])
})

test.each<[string, StickyStore | undefined]>([
  ['a sticky rule needs the option stickyStore', undefined],
  [
    'stickyStore failed',
    {
      get: () => {
        throw new Error('denied')
      },
      set: () => {},
    },
  ],
  [
    'stickyStore failed',
    {
      get: () => null,
      set: () => {
        throw new Error('full')
      },
    },
  ],
])('without a store that works, the rule draws, and one warning says: %s', (message, store) => {
  warned.length = 0
  const keep = keeper(store)
  for (const share of [0, 10_000]) expect(variationOf(fileOf(share), keep, visitor)).toBe(share === 0 ? 'on' : 'off')
  expect(warned).toEqual([message])
})
