import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../../platform/db/index.ts'
import { roomOf } from '../../../../platform/held.ts'
import type { Gathering } from '../gather.ts'
import type { NewOrder } from '../order.ts'
import type { NewEvent } from '../store.ts'
import { observeQuota } from './metrics.ts'
import { bytesOf, eventQuota, type SharedUsage, type Used, withinQuota } from './quota.ts'
import { freeShareOf, freeShareOfEvents } from './worker.ts'

const event = (envId = 'env', eventKey = 'paid'): NewEvent => ({
  type: 'track',
  envId,
  id: 'id',
  unit: 'u-1',
  at: 0,
  clamped: false,
  eventKey,
  value: null,
  kind: 0,
})
const events = (count: number, ...of: Parameters<typeof event>) => Array.from({ length: count }, () => event(...of))
let at = new Date('2026-11-20T23:59:00Z')
const quotaOf = (more: Partial<Parameters<typeof eventQuota>[0]> = {}) => {
  at = new Date('2026-11-20T23:59:00Z')
  return eventQuota({
    ...{ eventsPerDay: 10, bytesPerDay: 1e9, diskReserve: 0.1, readFree: null, now: () => at, shared: usage() },
    ...more,
  })
}

/** What all nodes know, in memory. */
function usage(): SharedUsage {
  const days = new Map<string, Used[]>()
  return {
    read: async (day) => days.get(day) ?? [],
    async add(day, used) {
      const all = days.get(day) ?? []
      const totals = used.map(({ envId, events, bytes }) => {
        const before = all.find((each) => each.envId === envId)
        return { envId, events: events + (before?.events ?? 0), bytes: bytes + (before?.bytes ?? 0) }
      })
      days.set(day, [...all.filter(({ envId }) => !used.some((each) => each.envId === envId)), ...totals])
      return totals
    },
  }
}

describe('the quota of events', () => {
  it('is that of an environment and a day, and begins again at midnight UTC', () => {
    const quota = quotaOf()
    quota.count(events(9))
    expect(quota.refuses('env')).toBeUndefined()
    quota.count(events(1))
    expect([quota.refuses('env'), quota.refuses('other')]).toEqual(['events', undefined])
    expect(quota.stopped()).toEqual([{ envId: 'env', reason: 'events', since: at }])
    at = new Date('2026-11-21T00:00:00Z')
    expect([quota.refuses('env'), quota.stopped()]).toEqual([undefined, []])
  })

  it('counts bytes too, so that few large events end it', () => {
    const quota = quotaOf({ bytesPerDay: 10_000 })
    quota.count(events(2, 'env', 'x'.repeat(4_784)))
    expect(quota.refuses('env')).toBeUndefined()
    quota.count(events(1))
    expect(quota.refuses('env')).toBe('bytes')
  })

  it('takes no events for a minute after the disk was full, and then tries again', async () => {
    const quota = quotaOf()
    const gathered: Gathering<NewEvent> = { add: () => Promise.reject(new Error('full')), waiting: () => 0 }
    const within = withinQuota(gathered, { quota, room: roomOf(1_000), isFull: () => true })
    await expect(within.add([event()])).rejects.toThrow('full')
    expect([quota.refuses('env'), quota.refuses('other')]).toEqual(['disk', 'disk'])
    expect(quota.stopped().map(({ reason }) => reason)).toEqual(['disk', 'disk'])
    at = new Date(at.getTime() + 59_999)
    expect(quota.refuses('env')).toBe('disk')
    at = new Date(at.getTime() + 1)
    expect([quota.refuses('env'), quota.stopped()]).toEqual([undefined, []])
  })

  it('stops all events while too little of the disk is free, and goes on by itself', async () => {
    let free = 0.09
    const quota = quotaOf({ readFree: async () => free })
    quota.refuses('env')
    await Promise.resolve()
    expect([quota.refuses('env'), quota.refuses('other')]).toEqual(['disk', 'disk'])
    free = 0.11
    at = new Date(at.getTime() + 10_000)
    quota.refuses('env')
    await Promise.resolve()
    expect(quota.refuses('env')).toBeUndefined()
  })

  it('keeps what it knows of the disk while the disk cannot be asked', async () => {
    let read = () => Promise.resolve(0.09)
    const quota = quotaOf({ readFree: () => read() })
    quota.refuses('env')
    await Promise.resolve()
    read = () => Promise.reject(new Error('the database is away'))
    at = new Date(at.getTime() + 10_000)
    quota.refuses('env')
    await Promise.resolve()
    expect(quota.refuses('env')).toBe('disk')
  })

  it('ignores the size of a database on a server that has no events', async () => {
    const db = {} as Db
    const settings = { SVC_DATABASE_URL: 'postgres://db', SVC_DATABASE_SIZE: 1e6, SVC_DATA_DIR: '.' }
    expect(freeShareOfEvents(db, settings, true)).toBeNull()
    expect(freeShareOfEvents(db, settings, false)).not.toBeNull()
    expect(freeShareOfEvents(db, { ...settings, SVC_DATABASE_SIZE: undefined }, false)).toBeNull()
    expect(await freeShareOfEvents(db, { ...settings, SVC_DATABASE_URL: undefined }, true)!()).toBeGreaterThan(0)
  })

  it('takes events if the disk could never be asked', async () => {
    const quota = quotaOf({ readFree: () => Promise.reject(new Error('no such folder')) })
    quota.refuses('env')
    await Promise.resolve()
    expect(quota.refuses('env')).toBeUndefined()
    expect(await freeShareOf('.')()).toBeGreaterThan(0)
  })

  it('shows in the metrics which environments have their events stopped', async () => {
    const registry = new Registry()
    const quota = quotaOf()
    observeQuota(registry, quota)
    quota.count(events(10))
    quota.refuses('env')
    const text = await registry.metrics()
    expect(text).toContain('svc_events_stopped_environments{reason="events"} 1')
    expect(text).toContain('svc_events_stopped_environments{reason="disk"} 0')
  })
})

describe('a quota that nodes share', () => {
  it('counts what others have stored once this node shares its own numbers', async () => {
    const shared = usage()
    const [one, other] = [quotaOf({ shared }), quotaOf({ shared })]
    one.count(events(6))
    other.count(events(6))
    await one.share()
    expect([one.refuses('env'), other.refuses('env')]).toEqual([undefined, undefined])
    await other.share()
    expect([one.refuses('env'), other.refuses('env')]).toEqual([undefined, 'events'])
    one.count(events(1))
    await one.share()
    expect(one.refuses('env')).toBe('events')
  })

  it('is known after a restart, and begins again with the day', async () => {
    const shared = usage()
    const before = quotaOf({ shared })
    before.count(events(10))
    await before.share()
    const after = quotaOf({ shared })
    await after.read()
    expect([after.refuses('env'), after.refuses('other')]).toEqual(['events', undefined])
    at = new Date('2026-11-21T00:00:00Z')
    await after.read()
    expect(after.refuses('env')).toBeUndefined()
  })

  it('counts everything once while numbers are being shared, and if sharing fails', async () => {
    const shared = usage()
    const told = Promise.withResolvers<Used[]>()
    let isAway = true
    const quota = quotaOf({
      shared: { ...shared, add: (day, used) => (isAway ? told.promise : shared.add(day, used)) },
    })
    quota.count(events(6))
    const telling = quota.share()
    quota.count(events(3))
    expect(quota.refuses('env')).toBeUndefined()
    told.reject(new Error('the database is away'))
    await expect(telling).rejects.toThrow('away')
    expect(quota.refuses('env')).toBeUndefined()
    isAway = false
    await quota.share()
    await quota.share()
    expect(await shared.read('2026-11-20')).toMatchObject([{ envId: 'env', events: 9 }])
    quota.count(events(1))
    expect(quota.refuses('env')).toBe('events')
  })

  it('forgets the shared numbers of a day that has ended meanwhile', async () => {
    const told = Promise.withResolvers<Used[]>()
    const quota = quotaOf({ shared: { read: async () => [], add: () => told.promise } })
    quota.count(events(10))
    const telling = quota.share()
    at = new Date('2026-11-21T00:00:00Z')
    expect(quota.refuses('env')).toBeUndefined()
    told.resolve([{ envId: 'env', events: 10, bytes: 1 }])
    await telling
    expect(quota.refuses('env')).toBeUndefined()
  })
})

describe('events that wait', () => {
  it('take no more bytes than their room; what is stored leaves it and counts', async () => {
    const waiting: ((isNew: boolean[]) => void)[] = []
    const gathered: Gathering<NewEvent> = {
      add: () => new Promise((resolve) => waiting.push(resolve as never)),
      waiting: () => 7,
    }
    const large = event('env', 'x'.repeat(5_000))
    const room = roomOf(3.5 * bytesOf(large))
    const quota = quotaOf({ eventsPerDay: 1 })
    const within = withinQuota(gathered, { quota, room, isFull: () => false })
    const stored = [within.add([large, large]), within.add([large])]
    expect(within.add([large])).toBeUndefined()
    expect(room.bytes).toBe(3 * bytesOf(large))
    for (const resolve of waiting) resolve([true, false])
    await Promise.all(stored)
    expect([room.bytes, within.waiting()]).toEqual([0, 7])
    expect(quota.refuses('env')).toBe('events')
  })

  it('leave their room too if they cannot be stored', async () => {
    const room = roomOf(10_000)
    const gathered: Gathering<NewEvent> = {
      add: () => Promise.reject(new Error('the database is away')),
      waiting: () => 0,
    }
    const quota = quotaOf()
    await expect(withinQuota(gathered, { quota, room, isFull: () => false }).add([event()])).rejects.toThrow('away')
    expect(quota.refuses('env')).toBeUndefined()
    expect(room.bytes).toBe(0)
  })
})

it('an order takes as many bytes as its ids have in the database', () => {
  const order = (id: string): NewOrder => ({
    ...{ type: 'order' as const, envId: 'env', unit: 'u', at: 0, orderId: id, currency: 'EUR' },
    ...{ total: 1, tax: 0, shipping: 0, discount: 0, items: [{ itemId: id, quantity: 1, price: 1 }] },
  })
  expect(bytesOf(order('注文番号')) - bytesOf(order('abcd'))).toBe(2 * (12 - 4))
})
