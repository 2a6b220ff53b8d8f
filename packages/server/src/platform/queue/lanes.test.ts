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

/** A claim that brings this number of jobs for each lane, and no lane had more to bring. */
function claim(held: Lanes<Job>, queues: Record<string, number>, share = Math.max(1, ...Object.values(queues))) {
  const jobs = Object.entries(queues).flatMap(([lane, count]) =>
    Array.from({ length: count }, (_, at) => ({ id: `${lane}${at}`, lane })),
  )
  held.add({ jobs, share }, held.demand())
}

const exceptions = (held: Lanes<Job>) => Object.fromEntries(held.demand().exceptions)

/** Takes every job that can start now. */
function started(held: Lanes<Job>): string[] {
  const ids = []
  for (let job = held.next(); job; job = held.next()) ids.push(job.id)
  return ids
}

describe('jobs that can start', () => {
  it('alternate between lanes, in the order of each queue', () => {
    expect(started(lanesWith({ a: 3, b: 1, c: 2 }))).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2'])
  })

  it('are at most 8 of one lane at a time; the next starts when one ends', () => {
    const held = lanesWith({ a: 20, b: 1 })
    expect(started(held)).toHaveLength(8 + 1)
    held.ended(of('a'), good)
    expect(started(held)).toEqual(['a8'])
  })

  it('are at most 64 in total', () => {
    const queues = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`w${at}`, 5]))
    expect(started(lanesWith(queues))).toHaveLength(64)
  })

  it('are one at a time in a failing lane, until one succeeds', () => {
    const held = lanesWith({ a: 30 })
    for (const { length } of [started(held)]) for (let at = 0; at < length; at += 1) held.ended(of('a'), bad)
    expect(started(held)).toEqual(['a8'])
    held.ended(of('a'), bad)
    expect(started(held)).toEqual(['a9'])
    held.ended(of('a'), good)
    expect(started(held)).toHaveLength(8)
  })

  it('are two at a time in a slow lane, so that eight slow lanes do not take all places', () => {
    const held = lanesWith({ a: 30 })
    for (const { length } of [started(held)])
      for (let at = 0; at < length; at += 1) held.ended(of('a'), { delivered: true, durationMs: 5_000 })
    expect(started(held)).toEqual(['a8', 'a9'])
    held.ended(of('a'), good)
    expect(started(held)).toHaveLength(7)
  })

  it('do not change the pace of their lane when they are given back without being sent', () => {
    const held = lanesWith({ a: 10 })
    started(held)
    held.ended(of('a'), undefined)
    expect(started(held)).toEqual(['a8'])
  })
})

describe('the demand', () => {
  it('is the usual number for an unknown lane, less the jobs that a lane holds', () => {
    const held = lanesWith({ a: 3 })
    expect(held.demand().perLane).toBe(8)
    expect(exceptions(held)).toEqual({ a: 8 - 3 })
  })

  it('is larger for a fast lane, and one for a failing lane', () => {
    const held = lanesWith({ fast: 2, slow: 2, dead: 2 })
    started(held)
    held.ended(of('fast'), { delivered: true, durationMs: 5 })
    held.ended(of('slow'), good)
    held.ended(of('dead'), bad)
    expect(exceptions(held)).toEqual({ fast: 64 - 1, slow: 8 - 1, dead: 0 })
    held.ended(of('dead'), bad)
    expect(exceptions(held).dead).toBe(1)
  })

  it('stays two for a slow lane and one for a failing lane after they were idle', () => {
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

  it('is 512 in total, less the jobs that have not ended', () => {
    const held = lanesWith({ a: 10, b: 1 })
    expect(held.demand().total).toBe(512 - 11)
    expect(started(held)).toHaveLength(9)
    held.ended(of('a'), good)
    expect(held.demand().total).toBe(512 - 10)
    expect(held.clear().map(({ id }) => id)).toEqual(['a8', 'a9'])
    expect(held.demand().total).toBe(512 - 8)
  })

  it('continues after the lane that was served last, in the order of ids', () => {
    const held = lanesWith({})
    const turns = [{ b: 1, c: 1 }, { e: 1, a: 1 }, {}, { b: 1 }].map((queues) => {
      claim(held, queues)
      return held.demand().after
    })
    expect(turns).toEqual(['c', 'a', 'a', 'b'])
  })

  it('remembers a thousand slow or failing lanes', () => {
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

describe('another claim', () => {
  const end = (held: Lanes<Job>, lane: string, count: number) => {
    for (let at = 0; at < count; at += 1) {
      started(held)
      held.ended(of(lane), good)
    }
  }

  it('is due when half of the jobs that the last claim brought for a lane have ended', () => {
    const held = lanesWith({ a: 8, b: 4 })
    end(held, 'a', 3)
    expect(held.isLow()).toBe(false)
    end(held, 'a', 1)
    expect(held.isLow()).toBe(true)
    claim(held, { a: 4 })
    expect(held.isLow()).toBe(false)
  })

  it('is not due for a lane for which the last claim brought less than it could', () => {
    const held = newLanes()
    claim(held, { a: 3 }, 4)
    end(held, 'a', 3)
    expect(held.isLow()).toBe(false)
    claim(held, { a: 8 }, 20)
    end(held, 'a', 4)
    expect(held.isLow()).toBe(true)
  })

  it('is not due for a lane for which the last claim brought nothing', () => {
    const held = lanesWith({ a: 4, b: 4 })
    claim(held, { b: 4 })
    end(held, 'a', 4)
    expect(held.isLow()).toBe(false)
    end(held, 'b', 4)
    expect(held.isLow()).toBe(true)
  })

  it('is due for a lane that was full during the last claim', () => {
    const held = lanesWith({ full: 8, b: 1 })
    end(held, 'b', 1)
    claim(held, {})
    expect(held.isLow()).toBe(false)
    end(held, 'full', 4)
    expect(held.isLow()).toBe(true)
  })

  it('is due for a full lane that ran empty during the claim', () => {
    const held = lanesWith({ full: 8 })
    const demand = held.demand()
    end(held, 'full', 8)
    held.add({ jobs: [], share: 8 }, demand)
    expect(held.isLow()).toBe(true)
  })

  it('is due at once for a failing lane, to probe it again', () => {
    const held = lanesWith({ dead: 1 })
    started(held)
    held.ended(of('dead'), bad)
    expect(held.isLow()).toBe(true)
    claim(held, {})
    expect(held.isLow()).toBe(false)
  })

  it('is due when half of all jobs have ended, if the last claim brought more than half of its limit', () => {
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
