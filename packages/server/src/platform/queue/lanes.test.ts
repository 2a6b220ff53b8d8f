import { describe, expect, it } from 'vitest'
import { type Lanes, lanes } from './lanes.ts'

interface Job {
  id: string
  lane: string
}

const newLanes = () => lanes<Job>(({ lane }) => lane)
const of = (lane: string): Job => ({ id: `${lane}0`, lane })
const good = { delivered: true, durationMs: 1000 }
const bad = { delivered: false, durationMs: 1000 }

function lanesWith(queues: Record<string, number>) {
  const held = newLanes()
  claim(held, queues)
  return held
}

/** What a claim brings: so many of each lane, which is all that it could have brought. */
function claim(held: Lanes<Job>, queues: Record<string, number>, share = Math.max(1, ...Object.values(queues))) {
  const jobs = Object.entries(queues).flatMap(([lane, count]) =>
    Array.from({ length: count }, (_, at) => ({ id: `${lane}${at}`, lane })),
  )
  held.add({ jobs, share }, held.demand())
}

const exceptions = (held: Lanes<Job>) => Object.fromEntries(held.demand().exceptions)

/** Everything that may start now. */
function started(held: Lanes<Job>): string[] {
  const ids = []
  for (let job = held.next(); job; job = held.next()) ids.push(job.id)
  return ids
}

describe('what may start', () => {
  it('each lane in turn, in the order of its queue', () => {
    expect(started(lanesWith({ a: 3, b: 1, c: 2 }))).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2'])
  })

  it('at most 8 of one lane at once, the next when one ends', () => {
    const held = lanesWith({ a: 20, b: 1 })
    expect(started(held)).toHaveLength(8 + 1)
    held.ended(of('a'), good)
    expect(started(held)).toEqual(['a8'])
  })

  it('at most 64 in all', () => {
    const queues = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`w${at}`, 5]))
    expect(started(lanesWith(queues))).toHaveLength(64)
  })

  it('one at a time of a lane that failed, until one succeeds', () => {
    const held = lanesWith({ a: 30 })
    for (const { length } of [started(held)]) for (let at = 0; at < length; at += 1) held.ended(of('a'), bad)
    expect(started(held)).toEqual(['a8'])
    held.ended(of('a'), bad)
    expect(started(held)).toEqual(['a9'])
    held.ended(of('a'), good)
    expect(started(held)).toHaveLength(8)
  })

  it('two at a time of a lane that takes seconds, so that eight such lanes do not fill all places', () => {
    const held = lanesWith({ a: 30 })
    for (const { length } of [started(held)])
      for (let at = 0; at < length; at += 1) held.ended(of('a'), { delivered: true, durationMs: 5_000 })
    expect(started(held)).toEqual(['a8', 'a9'])
    held.ended(of('a'), good)
    expect(started(held)).toHaveLength(7)
  })

  it('a job that was given back without being sent says nothing about its lane', () => {
    const held = lanesWith({ a: 10 })
    started(held)
    held.ended(of('a'), undefined)
    expect(started(held)).toEqual(['a8'])
  })
})

describe('what may be claimed', () => {
  it('the usual number for an unknown lane; for one with jobs, what is left of it', () => {
    const held = lanesWith({ a: 3 })
    expect(held.demand().perLane).toBe(8)
    expect(exceptions(held)).toEqual({ a: 8 - 3 })
  })

  it('more for a lane that answers fast, a single one for a lane that failed', () => {
    const held = lanesWith({ fast: 2, slow: 2, dead: 2 })
    started(held)
    held.ended(of('fast'), { delivered: true, durationMs: 5 })
    held.ended(of('slow'), good)
    held.ended(of('dead'), bad)
    expect(exceptions(held)).toEqual({ fast: 64 - 1, slow: 8 - 1, dead: 0 })
    held.ended(of('dead'), bad)
    expect(exceptions(held).dead).toBe(1)
  })

  it('two for a slow lane and one for a failing lane, also when they have been idle since', () => {
    const held = lanesWith({ usual: 1, slow: 1, dead: 1 })
    started(held)
    held.ended(of('usual'), good)
    held.ended(of('slow'), { delivered: true, durationMs: 5_000 })
    held.ended(of('dead'), bad)
    claim(held, {})
    expect(exceptions(held)).toEqual({ slow: 2, dead: 1 })
    claim(held, { slow: 2, dead: 1 })
    expect(started(held)).toEqual(['slow0', 'dead0', 'slow1'])
  })

  it('512 in all, less what has not ended', () => {
    const held = lanesWith({ a: 10, b: 1 })
    expect(held.demand().total).toBe(512 - 11)
    expect(started(held)).toHaveLength(9)
    held.ended(of('a'), good)
    expect(held.demand().total).toBe(512 - 10)
    expect(held.clear().map(({ id }) => id)).toEqual(['a8', 'a9'])
    expect(held.demand().total).toBe(512 - 8)
  })

  it('after the lane that was served last, in the order of their ids', () => {
    const held = lanesWith({})
    const turns = [{ b: 1, c: 1 }, { e: 1, a: 1 }, {}, { b: 1 }].map((queues) => {
      claim(held, queues)
      return held.demand().after
    })
    expect(turns).toEqual(['c', 'a', 'a', 'b'])
  })

  it('a thousand lanes that were slow or failing are remembered', () => {
    const held = lanesWith({})
    for (let at = 0; at <= 1000; at += 1) {
      claim(held, { [`w${at}`]: 1 })
      started(held)
      held.ended(of(`w${at}`), bad)
    }
    claim(held, {})
    expect(held.demand().exceptions.size).toBe(1000)
    expect([...held.demand().exceptions.keys()][0]).toBe('w1')
  })
})

describe('another claim is due', () => {
  const end = (held: Lanes<Job>, lane: string, count: number) => {
    for (let at = 0; at < count; at += 1) {
      started(held)
      held.ended(of(lane), good)
    }
  }

  it('when half of what the last one brought for a lane has ended', () => {
    const held = lanesWith({ a: 8, b: 4 })
    end(held, 'a', 3)
    expect(held.isLow()).toBe(false)
    end(held, 'a', 1)
    expect(held.isLow()).toBe(true)
    claim(held, { a: 4 })
    expect(held.isLow()).toBe(false)
  })

  it('not for a lane for which it brought less than it could', () => {
    const held = newLanes()
    claim(held, { a: 3 }, 4)
    end(held, 'a', 3)
    expect(held.isLow()).toBe(false)
    claim(held, { a: 8 }, 20)
    end(held, 'a', 4)
    expect(held.isLow()).toBe(true)
  })

  it('not for a lane for which it brought nothing more', () => {
    const held = lanesWith({ a: 4, b: 4 })
    claim(held, { b: 4 })
    end(held, 'a', 4)
    expect(held.isLow()).toBe(false)
    end(held, 'b', 4)
    expect(held.isLow()).toBe(true)
  })

  it('for a lane that was full meanwhile, so that the claim could bring nothing', () => {
    const held = lanesWith({ full: 8, b: 1 })
    end(held, 'b', 1)
    claim(held, {})
    expect(held.isLow()).toBe(false)
    end(held, 'full', 4)
    expect(held.isLow()).toBe(true)
  })

  it('for a full lane that ran empty while the claim was made', () => {
    const held = lanesWith({ full: 8 })
    const demand = held.demand()
    end(held, 'full', 8)
    held.add({ jobs: [], share: 8 }, demand)
    expect(held.isLow()).toBe(true)
  })

  it('at once for a lane that fails: it is probed again', () => {
    const held = lanesWith({ dead: 1 })
    started(held)
    held.ended(of('dead'), bad)
    expect(held.isLow()).toBe(true)
    claim(held, {})
    expect(held.isLow()).toBe(false)
  })

  it('when half of all jobs have ended, where it brought more than half of what it could', () => {
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
