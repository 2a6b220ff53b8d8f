import { compile } from '@svc/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { entryBytes, type Purpose, type Room, roomOf } from '../../../platform/held.ts'
import { giveBackMemory } from '../../../platform/memory.ts'
import { gathering, type NewEvent, nameStore } from '../events/index.ts'
import { exposures } from './worker.ts'

const rule = {
  ruleId: 'rule',
  flagKey: 'checkout',
  names: ['3'],
  variations: new Map([
    ['on', 'on-id'],
    ['off', 'off-id'],
  ]),
}
const evaluator = compile({
  schemaVersion: 1,
  revision: 1,
  environment: { id: 'env', key: 'production' },
  publishedAt: null,
  audiences: {},
  exclusionGroups: {},
  flags: {
    checkout: {
      id: 'f',
      type: 'BOOLEAN',
      enabled: true,
      variations: { on: 'true', off: 'false' },
      defaultVariation: 'off',
      rules: [{ id: '3', salt: 's', type: 'AB_TEST', split: [{ variation: 'on', end: 10_000 }] }],
    },
  },
  events: {},
})
const roomBytes = 1024 * 1024
const evaluation = evaluator.evaluate('checkout', { targetingKey: 'u-1' })
let stored: NewEvent[][]
let failures: number
let dropped: number
let keyless: string[]
let rooms: Partial<Record<Purpose, Room>>
let counted: ReturnType<typeof exposures>

beforeEach(() => {
  vi.useFakeTimers()
  stored = []
  failures = 0
  dropped = 0
  keyless = []
  rooms = {}
  counted = exposures({
    names: nameStore({ load: async () => [rule], isBehind: async () => false }),
    gathered: gathering({
      async append(events) {
        stored.push([...events])
        if (failures-- > 0) throw new Error('the database is away')
        return events.map(() => true)
      },
      ...{ mostTogether: 1_000, atOnce: 1, mostWaiting: 1_000 },
    }),
    now: () => new Date(),
    takes: (envId) => envId !== 'stopped',
    openRoom: (purpose) => (rooms[purpose] = roomOf(roomBytes)),
    onKeyless: (envId) => void keyless.push(envId),
    onDropped() {
      dropped += 1
    },
  })
})
afterEach(() => void vi.useRealTimers())

const add = (targetingKey: string, more: object = {}) =>
  counted.add({
    ...{ envId: 'env', flagKey: 'checkout', evaluation, context: { targetingKey }, isBot: false },
    ...{ lacksKeyFor: 'NONE', ...more },
  })
const units = () => stored.map((events) => events.map(({ unit }) => unit))

describe('exposures of evaluations by the service', () => {
  it('count a visitor once in half an hour', async () => {
    for (const unit of ['u-1', 'u-1', 'u-2']) add(unit)
    await counted.stop()
    expect(units().flat()).toEqual(['u-1', 'u-2'])
    expect(stored[0]![0]).toMatchObject({ type: 'exposure', ruleId: 'rule', variationId: 'on-id', kind: 0 })
    vi.setSystemTime(Date.now() + 30 * 60_000)
    add('u-1')
    await counted.stop()
    expect(units().flat()).toEqual(['u-1', 'u-2', 'u-1'])
  })

  it('count only with an ingest key if the environment requires one for exposures', async () => {
    add('u-1', { lacksKeyFor: 'ALL' })
    add('u-2', { lacksKeyFor: 'TRACKED_EVENTS' })
    expect(keyless).toEqual(['env'])
    add('u-1')
    await counted.stop()
    expect(units().flat()).toEqual(['u-2', 'u-1'])
  })

  it('are stored again with the same ids if the database was away', async () => {
    failures = 2
    add('u-1')
    await vi.advanceTimersByTimeAsync(2_000)
    add('u-2')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(units()).toEqual([['u-1'], ['u-1'], ['u-1', 'u-2']])
    expect(new Set(stored.map(([first]) => first!.id)).size).toBe(1)
    await counted.stop()
    expect(stored).toHaveLength(3)
  })

  it('are stored once more when the node stops', async () => {
    failures = 1
    add('u-1')
    await vi.advanceTimersByTimeAsync(0)
    await counted.stop()
    expect(units()).toEqual([['u-1'], ['u-1']])
  })

  it.each([4, 512])(
    'are dropped from the oldest on if those that wait need too much memory, with ids of %i characters',
    async (length) => {
      failures = Number.POSITIVE_INFINITY
      const many = 5_000
      for (let count = 0; count < many; count += 1) add(String(count).padStart(length, 'u'))
      expect(rooms.ofrepExposures!.bytes).toBeLessThanOrEqual(roomBytes)
      expect(rooms.ofrepExposures!.bytes).toBeGreaterThan(roomBytes - 2_048)
      await counted.stop()
      expect(dropped).toBeGreaterThan(many - roomBytes / (2 * length))
      expect(stored.at(-1)![0]!.unit).toBe(String(dropped).padStart(length, 'u'))
    },
  )

  it('of visitors whose id is too long to be stored leave nothing behind', async () => {
    failures = Number.POSITIVE_INFINITY
    const idBytes = 64 * 1024
    for (const unit of ['x'.repeat(513), 'a\0', '\ud800']) add(unit)
    giveBackMemory()
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 1_000; count += 1)
      add(JSON.parse(`"${String(count).padStart(idBytes, 'u')}"`) as string)
    giveBackMemory()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * idBytes)
    expect([rooms.ofrepVisitors!.bytes, rooms.ofrepExposures!.bytes]).toEqual([0, 0])
    await counted.stop()
    expect(stored).toEqual([])
  })

  it('take as much memory for a visitor as for any other, however long the id is', async () => {
    for (const unit of ['u', 'x'.repeat(512)]) add(unit)
    const { bytes } = rooms.ofrepVisitors!
    for (let count = 0; count < 8_000; count += 1) add(`u-${count}`)
    expect(rooms.ofrepVisitors!.bytes).toBeLessThanOrEqual(roomBytes)
    expect(bytes).toBe(2 * entryBytes)
    await counted.stop()
  })

  it('of a bot are marked, and those without a unit are left out', async () => {
    add('u-1', { context: { targetingKey: 'u-1', userAgent: 'Googlebot/2.1' } })
    add('u-2', { isBot: true })
    add('u-3', { context: {} })
    await counted.stop()
    expect(stored.flat().map(({ unit, kind }) => [unit, kind])).toEqual([
      ['u-1', 2],
      ['u-2', 2],
    ])
  })

  it('of an environment that takes no events are forgotten', async () => {
    add('u-1', { envId: 'stopped' })
    await counted.stop()
    expect([stored, rooms.ofrepVisitors!.bytes]).toEqual([[], 0])
  })

  it('of a rule that is gone are left out', async () => {
    add('u-1', { evaluation: { ...evaluation, ruleId: '99' } })
    await counted.stop()
    expect(stored.flat()).toEqual([])
  })
})
