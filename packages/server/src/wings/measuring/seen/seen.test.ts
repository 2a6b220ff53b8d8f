import type { Condition } from '@svc/core'
import { describe, expect, it, test } from 'vitest'
import {
  type Attributes,
  addSeen,
  asksAbout,
  attributesOf,
  bytesOf,
  keptOf,
  mostAtOnce,
  mostDistinctValues,
  mostNames,
  mostValues,
  type Pending,
  takes,
  unknownIn,
} from './seen.ts'

const visitor = (unit: string, more: object = {}) => ({
  envId: 'env',
  unit,
  facts: '{"plan":"pro"}',
  seenAt: 1,
  ...more,
})
const each = <Each>(count: number, make: (place: number) => Each) =>
  Array.from({ length: count }, (_, place) => make(place))

describe('what waits to be written', () => {
  it('has the newest facts of a visitor, once', () => {
    const pending: Pending = new Map()
    const grown = [
      addSeen(pending, visitor('u'), 10_000),
      addSeen(pending, visitor('u', { seenAt: 3, facts: '{"plan":"free"}' }), 10_000),
      addSeen(pending, visitor('u', { seenAt: 2 }), 10_000),
    ]
    expect([...pending.get('env')!.values()]).toEqual([visitor('u', { seenAt: 3, facts: '{"plan":"free"}' })])
    expect(grown).toEqual([bytesOf(visitor('u')), 2, 0])
  })

  it('leaves out what has no room, and takes some of each environment', () => {
    const pending: Pending = new Map()
    expect(addSeen(pending, visitor('u'), bytesOf(visitor('u')) - 1)).toBe(0)
    for (let place = 0; place < mostAtOnce; place += 1) addSeen(pending, visitor(`u-${place}`), 10_000)
    expect([takes(pending, 'env'), takes(pending, 'other')]).toEqual([false, true])
  })
})

test('e-mail addresses and the id of a visitor are not kept among the attributes', () => {
  const facts = { targetingKey: 'u-1', email: 'ada@svc.test', plan: 'pro', age: 30, isNew: false }
  expect(keptOf(JSON.stringify(facts))).toEqual({ email: null, plan: 'pro', age: 30, isNew: false })
})

describe('suggestions', () => {
  test.each<[string, Attributes[], object[]]>([
    ['nothing of an empty sample', [], []],
    [
      'values that two visitors have, most first',
      [{ plan: 'pro' }, { plan: 'free' }, { plan: 'free' }, { plan: 'pro' }, { plan: 'free' }, { plan: 'gold' }],
      [{ name: 'plan', types: ['STRING'], visitors: 6, values: ['free', 'pro'] }],
    ],
    [
      'no value of an attribute with addresses',
      [{ mail: null }, { mail: 'ada' }, { mail: 'ada' }],
      [{ name: 'mail', types: ['STRING'], visitors: 3, values: [] }],
    ],
    [
      'no value of one visitor, and the types of all',
      [{ age: 30 }, { age: 'old' }, { age: true }],
      [{ name: 'age', types: ['BOOLEAN', 'NUMBER', 'STRING'], visitors: 3, values: [] }],
    ],
    [
      'no empty and no long value',
      each(4, (place) => ({ note: place < 2 ? '' : 'x'.repeat(101) })),
      [{ name: 'note', types: ['STRING'], visitors: 4, values: [] }],
    ],
    [
      'attributes of most visitors first, then by name',
      [
        { b: 1, a: 1 },
        { c: 2, b: 1, a: 1 },
      ],
      [
        { name: 'a', types: ['NUMBER'], visitors: 2, values: [1] },
        { name: 'b', types: ['NUMBER'], visitors: 2, values: [1] },
        { name: 'c', types: ['NUMBER'], visitors: 1, values: [] },
      ],
    ],
  ])('have %s', (_what, sample, expected) => {
    expect(attributesOf(sample)).toEqual(expected)
  })

  it('have bounds', () => {
    const sample = each(2, () => Object.fromEntries(each(mostNames + 1, (place) => [`name-${place}`, 1])))
    expect(attributesOf(sample)).toHaveLength(mostNames)
    const ids = each(2 * (mostDistinctValues + 1), (place) => ({ id: `id-${Math.floor(place / 2)}` }))
    expect(attributesOf(ids)[0]!.values).toEqual([])
    expect(attributesOf(ids.slice(2))[0]!.values).toHaveLength(mostValues)
  })
})

test('a condition asks about attributes and segments, but not about the time', () => {
  const plan = { attribute: 'plan', operator: 'exists' } as const
  const now = { attribute: '$now', operator: 'after', value: '2020-01-01T00:00:00Z' } as const
  const condition: Condition = { all: [{ not: plan }, { any: [plan, { segment: 's' }, now] }] }
  expect(asksAbout(condition)).toEqual({ attributes: ['plan'], segments: ['s'] })
})

test('an attribute is unknown if no visitor has it, or if values are not kept', () => {
  const sample: Attributes[] = [{ plan: 'pro', email: null }, { email: 'none' }]
  expect(unknownIn(sample, ['plan', 'email', 'country', 'targetingKey'])).toEqual(['email', 'country'])
})
