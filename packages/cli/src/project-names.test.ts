import { expect, it } from 'vitest'
import { namesIn } from './project-names.ts'

const names = namesIn({
  audiences: [
    { id: 'a-1', shortId: 1, key: 'beta', name: 'Beta' },
    { id: 'a-2', shortId: 2, key: 'twice', name: 'Twice' },
    { id: 'a-3', shortId: 3, key: 'twice-2', name: 'Twice' },
  ],
  segments: [{ id: 's-1', shortId: 1, key: 'vip-customers', name: 'VIP customers' }],
  metrics: [{ id: 'm-1', key: 'order_paid', name: 'Paid orders' }],
})

it.each([
  ['a-1', 'a-1'],
  ['2', 'a-2'],
  ['Beta', 'a-1'],
  ['beta-users', 'beta-users'],
])('%s is the audience %s', (called, id) => expect(names.idOf('audience', called)).toBe(id))

it('the look-up refuses what does not exist, and a name of several', () => {
  expect(() => names.idOf('audience', 'Nobody')).toThrow('Audience "Nobody" was not found.')
  expect(() => names.idOf('audience', 'Twice')).toThrow(
    'Several audiences have the name "Twice". Use a key or a short id: 2, 3.',
  )
  expect(() => names.metricKeyOf('Paid baskets')).toThrow('Metric "Paid baskets" was not found.')
})

it('the look-up does not report an object as missing if the token cannot read it', () => {
  const { idOf } = namesIn({ segments: null, exclusionGroups: null })
  expect(() => idOf('segment', 'VIP customers')).toThrow(
    'The token cannot read the names of segments. Use a key instead of "VIP customers".',
  )
  expect(() => idOf('exclusion_group', 'Checkout tests')).toThrow('names of exclusion groups')
  expect(idOf('segment', 'vip')).toBe('vip')
})

it.each([
  ['order_paid', 'order_paid'],
  ['m-1', 'order_paid'],
  ['Paid orders', 'order_paid'],
  ['Basket', 'Basket'],
])('%s is the metric %s', (called, key) => {
  expect(names.metricKeyOf(called)).toBe(key)
  expect(namesIn({ metrics: null }).metricKeyOf('order_paid')).toBe('order_paid')
})

it('the look-up puts ids into conditions', () => {
  const condition = { all: [{ any: [{ audience: 'Beta' }] }, { not: { segment: 'VIP customers' } }] }
  expect(names.withIds(condition)).toEqual({ all: [{ any: [{ audience: 'a-1' }] }, { not: { segment: 's-1' } }] })
})
