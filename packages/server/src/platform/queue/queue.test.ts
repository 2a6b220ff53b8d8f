import { describe, expect, test } from 'vitest'
import type { Claim } from './claim.ts'
import { type QueueWorker, queueWorker } from './queue.ts'

const timeoutMs = 10_000

interface Row {
  id: string
  lane: string
  leaseUntil: Date
}

/** A worker over rows in memory. `send` replaces the network. */
function worker(
  options: {
    rows?: string[]
    send?: (id: string) => Promise<number>
    databaseKind?: 'embedded' | 'server'
    failClaims?: number
    perClaim?: number
    restMs?: number
  } = {},
) {
  const { rows = [], send = async () => 204, databaseKind = 'server', failClaims = 0, perClaim = 8, restMs } = options
  const clock = { now: new Date('2026-11-20T10:00:00.000Z') }
  const due = [...rows]
  const seen = { settled: [] as string[], released: [] as string[], errors: [] as unknown[], releasedAll: 0, claims: 0 }
  let notice: (payload: string) => unknown = () => undefined
  const work: QueueWorker = queueWorker<
    Row,
    string,
    { status: number; durationMs: number },
    { status: string; restsUntil?: Date }
  >({
    database: {
      kind: databaseKind,
      async listen(_channel, onNotice) {
        notice = onNotice
      },
    },
    table: {
      channel: 'rows',
      laneOf: ({ lane }) => lane,
      async claim({ leaseUntil }: Claim) {
        seen.claims += 1
        if (seen.claims <= failClaims) throw new Error('no claim')
        const jobs = due.splice(0, perClaim).map((id) => ({ id, lane: id.charAt(0), leaseUntil }))
        return { jobs, share: 8 }
      },
      async settle(results) {
        seen.settled.push(...results.map(({ job, settlement }) => `${job.id} ${settlement.status}`))
      },
      async release(jobs) {
        seen.released.push(...jobs.map(({ id }) => id))
      },
      async releaseAll() {
        seen.releasedAll += 1
      },
    },
    kind: {
      check: () => undefined,
      render: ({ id }) => ({ request: id }),
      send: async (id) => ({ status: await send(id), durationMs: 500 }),
      judge: (_job, { status }, now) => ({
        status: status === 204 ? 'DELIVERED' : 'PENDING',
        ...(restMs !== undefined && { restsUntil: new Date(now.getTime() + restMs) }),
      }),
    },
    timeoutMs,
    observe: { attempted: () => undefined, failed: (error) => void seen.errors.push(error) },
    now: () => clock.now,
  })
  return { ...work, seen, clock, due, notify: () => notice('') }
}

const ids = (lane: string, count: number) => Array.from({ length: count }, (_, at) => `${lane}${at}`)

describe('a worker', () => {
  test('claims until nothing is due and settles everything', async () => {
    const { wake, idle, seen } = worker({ rows: ids('a', 30) })
    wake()
    await idle()
    expect(seen.settled.toSorted()).toEqual(
      ids('a', 30)
        .map((id) => `${id} DELIVERED`)
        .toSorted(),
    )
    expect(seen.claims).toBeGreaterThan(1)
  })

  test('claims at its start and at each notice, and not after its stop', async () => {
    const { start, stop, idle, due, notify, seen } = worker({ rows: ['a0'] })
    await start()
    await idle()
    expect(seen.settled).toEqual(['a0 DELIVERED'])
    due.push('a1')
    notify()
    await idle()
    expect(seen.settled).toEqual(['a0 DELIVERED', 'a1 DELIVERED'])
    await stop()
    due.push('a2')
    notify()
    await idle()
    expect(seen.settled).toHaveLength(2)
  })

  test.each([
    ['embedded', 1],
    ['server', 0],
  ] as const)('on %s, releases the jobs of an ended process %i times', async (databaseKind, times) => {
    const { start, stop, seen } = worker({ databaseKind })
    await start()
    await stop()
    expect(seen.releasedAll).toBe(times)
  })

  test('settles nothing for an attempt that throws: its lease ends, and the lane counts as failing', async () => {
    const fault = new Error('fault')
    const { wake, idle, seen } = worker({
      rows: ids('a', 12),
      send: async (id) => {
        if (id === 'a0') throw fault
        return 204
      },
    })
    wake()
    await idle()
    expect(seen.errors).toEqual([fault])
    expect(seen.settled).toHaveLength(11)
  })

  test('reports a failed claim, and the next one brings the rows', async () => {
    const { wake, idle, seen } = worker({ rows: ['a0'], failClaims: 1 })
    wake()
    await idle()
    expect([seen.errors.length, seen.settled]).toEqual([1, []])
    wake()
    await idle()
    expect(seen.settled).toEqual(['a0 DELIVERED'])
  })

  test('claims when a lane has rested, before it would look again', async () => {
    const { wake, idle, seen, due } = worker({ rows: ['a0'], restMs: 5 })
    wake()
    await idle()
    due.push('a1')
    // Only the end of the rest can start this claim: no notice arrives, and the poll was not started.
    await expect.poll(() => seen.settled).toEqual(['a0 DELIVERED', 'a1 DELIVERED'])
  })

  test('gives back jobs that waited until their lease was too short for an attempt', async () => {
    const { wake, idle, seen, clock } = worker({
      rows: ids('a', 8),
      send: async () => {
        clock.now = new Date(clock.now.getTime() + 25_000)
        return 500
      },
    })
    wake()
    await idle()
    expect(seen.released.length + seen.settled.length).toBe(8)
    expect(seen.released.length).toBeGreaterThan(0)
  })

  test('gives back unstarted jobs and settles the rest when it is stopped', async () => {
    const held = Promise.withResolvers<number>()
    const begun: string[] = []
    const { wake, stop, seen } = worker({
      // More than can be under way at once.
      rows: [...'abcdefghi'].flatMap((lane) => ids(lane, 8)),
      perClaim: 72,
      send: (id) => {
        begun.push(id)
        return held.promise
      },
    })
    wake()
    await expect.poll(() => begun.length).toBe(64)
    const stopped = stop()
    await expect.poll(() => seen.released.length).toBe(8)
    held.resolve(204)
    await stopped
    expect(seen.settled).toHaveLength(64)
    expect(begun).toHaveLength(64)
  })
})
