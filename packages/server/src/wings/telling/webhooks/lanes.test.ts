import { describe, expect, it } from 'vitest'
import { type Lanes, lanes, type Queued } from './lanes.ts'

const leaseUntil = new Date('2026-11-20T10:00:30.000Z')
const good = { delivered: true, durationMs: 1000 }
const bad = { delivered: false, durationMs: 1000 }

function lanesWith(queues: Record<string, number>) {
  const held = lanes<Queued>()
  claim(held, queues)
  return held
}

/** What a claim brings: so many of each, which is all that it might have brought. */
function claim(held: Lanes<Queued>, queues: Record<string, number>, share = Math.max(1, ...Object.values(queues))) {
  const jobs = Object.entries(queues).flatMap(([webhookId, count]) =>
    Array.from({ length: count }, (_, at) => ({ id: `${webhookId}${at}`, webhookId, leaseUntil })),
  )
  held.add({ jobs, share }, held.demand())
}

const allowances = (held: Lanes<Queued>) => Object.fromEntries(held.demand().allowances)

/** Everything that may start now. */
function started(held: Lanes<Queued>): string[] {
  const ids = []
  for (let job = held.next(); job; job = held.next()) ids.push(job.id)
  return ids
}

describe('what may start', () => {
  it('each lane in turn, in the order of its queue', () => {
    expect(started(lanesWith({ a: 3, b: 1, c: 2 }))).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2'])
  })

  it('at most 8 of one endpoint at once, the next when one ends', () => {
    const held = lanesWith({ a: 20, b: 1 })
    expect(started(held)).toHaveLength(8 + 1)
    held.ended('a', good)
    expect(started(held)).toEqual(['a8'])
  })

  it('at most 64 in all', () => {
    const queues = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`w${at}`, 5]))
    expect(started(lanesWith(queues))).toHaveLength(64)
  })

  it('one at a time of an endpoint that failed, until one succeeds', () => {
    const held = lanesWith({ a: 30 })
    for (const { length } of [started(held)]) for (let at = 0; at < length; at += 1) held.ended('a', bad)
    expect(started(held)).toEqual(['a8'])
    held.ended('a', bad)
    expect(started(held)).toEqual(['a9'])
    held.ended('a', good)
    expect(started(held)).toHaveLength(8)
  })

  it('two at a time of an endpoint that takes seconds, so that eight such ones do not fill all places', () => {
    const held = lanesWith({ a: 30 })
    for (const { length } of [started(held)])
      for (let at = 0; at < length; at += 1) held.ended('a', { delivered: true, durationMs: 5_000 })
    expect(started(held)).toEqual(['a8', 'a9'])
    held.ended('a', good)
    expect(started(held)).toHaveLength(7)
  })

  it('what was given back without being sent says nothing about its endpoint', () => {
    const held = lanesWith({ a: 10 })
    started(held)
    held.ended('a', undefined)
    expect(started(held)).toEqual(['a8'])
  })
})

describe('what may be claimed', () => {
  it('of an unknown endpoint the usual number; of one with jobs, what is left of it', () => {
    const held = lanesWith({ a: 3 })
    expect(held.demand().perWebhook).toBe(8)
    expect(allowances(held)).toEqual({ a: 8 - 3 })
  })

  it('of one that answers fast further ahead, of one that failed a single one', () => {
    const held = lanesWith({ fast: 2, slow: 2, dead: 2 })
    started(held)
    held.ended('fast', { delivered: true, durationMs: 5 })
    held.ended('slow', good)
    held.ended('dead', bad)
    expect(allowances(held)).toEqual({ fast: 64 - 1, slow: 8 - 1, dead: 0 })
    held.ended('dead', bad)
    expect(allowances(held).dead).toBe(1)
  })

  it('of a slow endpoint two, and one of a failing one, also when they had been idle since', () => {
    const held = lanesWith({ usual: 1, slow: 1, dead: 1 })
    started(held)
    held.ended('usual', good)
    held.ended('slow', { delivered: true, durationMs: 5_000 })
    held.ended('dead', bad)
    claim(held, {})
    expect(allowances(held)).toEqual({ slow: 2, dead: 1 })
    claim(held, { slow: 2, dead: 1 })
    expect(started(held)).toEqual(['slow0', 'dead0', 'slow1'])
  })

  it('in all 512, less what has not ended', () => {
    const held = lanesWith({ a: 10, b: 1 })
    expect(held.demand().limit).toBe(512 - 11)
    expect(started(held)).toHaveLength(9)
    held.ended('a', good)
    expect(held.demand().limit).toBe(512 - 10)
    expect(held.clear().map(({ id }) => id)).toEqual(['a8', 'a9'])
    expect(held.demand().limit).toBe(512 - 8)
  })

  it('from behind the webhook that was served last, in the order of their ids', () => {
    const held = lanesWith({})
    const turns = [{ b: 1, c: 1 }, { e: 1, a: 1 }, {}, { b: 1 }].map((queues) => {
      claim(held, queues)
      return held.demand().after
    })
    expect(turns).toEqual(['c', 'a', 'a', 'b'])
  })

  it('of endpoints that were slow or failing it remembers a thousand', () => {
    const held = lanesWith({})
    for (let at = 0; at <= 1000; at += 1) {
      claim(held, { [`w${at}`]: 1 })
      started(held)
      held.ended(`w${at}`, bad)
    }
    claim(held, {})
    expect(held.demand().allowances.size).toBe(1000)
    expect([...held.demand().allowances.keys()][0]).toBe('w1')
  })
})

describe('another claim is due', () => {
  const end = (held: Lanes<Queued>, webhookId: string, count: number) => {
    for (let at = 0; at < count; at += 1) {
      started(held)
      held.ended(webhookId, good)
    }
  }

  it('when half of what the last one brought for an endpoint has ended', () => {
    const held = lanesWith({ a: 8, b: 4 })
    end(held, 'a', 3)
    expect(held.isLow()).toBe(false)
    end(held, 'a', 1)
    expect(held.isLow()).toBe(true)
    claim(held, { a: 4 })
    expect(held.isLow()).toBe(false)
  })

  it('not for an endpoint of which it brought less than it might', () => {
    const held = lanes<Queued>()
    claim(held, { a: 3 }, 4)
    end(held, 'a', 3)
    expect(held.isLow()).toBe(false)
    claim(held, { a: 8 }, 20)
    end(held, 'a', 4)
    expect(held.isLow()).toBe(true)
  })

  it('not for an endpoint of which it brought nothing more', () => {
    const held = lanesWith({ a: 4, b: 4 })
    claim(held, { b: 4 })
    end(held, 'a', 4)
    expect(held.isLow()).toBe(false)
    end(held, 'b', 4)
    expect(held.isLow()).toBe(true)
  })

  it('for one whose lane was full meanwhile, so that it could bring nothing', () => {
    const held = lanesWith({ full: 8, b: 1 })
    end(held, 'b', 1)
    claim(held, {})
    expect(held.isLow()).toBe(false)
    end(held, 'full', 4)
    expect(held.isLow()).toBe(true)
  })

  it('for one whose full lane ran empty while the claim was made', () => {
    const held = lanesWith({ full: 8 })
    const demand = held.demand()
    end(held, 'full', 8)
    held.add({ jobs: [], share: 8 }, demand)
    expect(held.isLow()).toBe(true)
  })

  it('at once for one that fails: it is probed again', () => {
    const held = lanesWith({ dead: 1 })
    started(held)
    held.ended('dead', bad)
    expect(held.isLow()).toBe(true)
    claim(held, {})
    expect(held.isLow()).toBe(false)
  })

  it('when half of all have ended, where it brought more than half of what it might', () => {
    const queues = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`w${at}`, 3]))
    const held = lanesWith(queues)
    const ids = Object.keys(queues)
    for (const id of ids.slice(0, 14)) end(held, id, 3)
    end(held, 'w14', 1)
    expect(held.isLow()).toBe(false)
    end(held, 'w14', 1)
    expect(held.isLow()).toBe(true)
  })
})
