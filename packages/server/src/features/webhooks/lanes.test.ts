import { describe, expect, it } from 'vitest'
import { lanes, type Queued, usualAllowance } from './lanes.ts'

const leaseUntil = new Date('2026-11-20T10:00:30.000Z')
const good = { delivered: true, durationMs: 1000 }
const bad = { delivered: false, durationMs: 1000 }

function lanesWith(queues: Record<string, number>) {
  const held = lanes<Queued>()
  for (const [webhookId, count] of Object.entries(queues))
    for (let at = 0; at < count; at += 1) held.add({ id: `${webhookId}${at}`, webhookId, leaseUntil })
  return held
}

/** Everything that may start now. */
function started(held: ReturnType<typeof lanesWith>): string[] {
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
    expect(held.allowances()).toEqual(new Map([['a', usualAllowance - 3]]))
  })

  it('of one that answers fast further ahead, of one that failed a single one', () => {
    const held = lanesWith({ fast: 2, slow: 2, dead: 2 })
    started(held)
    held.ended('fast', { delivered: true, durationMs: 5 })
    held.ended('slow', good)
    held.ended('dead', bad)
    expect(held.allowances()).toEqual(
      new Map([
        ['fast', 64 - 1],
        ['slow', 8 - 1],
        ['dead', 0],
      ]),
    )
    held.ended('dead', bad)
    expect(held.allowances().get('dead')).toBe(1)
  })

  it('an idle endpoint is forgotten, unless it has been failing', () => {
    const held = lanesWith({ a: 1, dead: 1 })
    started(held)
    held.ended('a', good)
    held.ended('dead', bad)
    expect([...held.allowances().keys()]).toEqual(['dead'])
    expect(held.held()).toBe(0)
  })

  it('clearing takes what has not started', () => {
    const held = lanesWith({ a: 10 })
    started(held)
    expect(held.clear().map(({ id }) => id)).toEqual(['a8', 'a9'])
    expect(held.held()).toBe(8)
  })
})
