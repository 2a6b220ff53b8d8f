import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Db } from '../db/index.ts'
import type { Sweep } from './sweep.ts'
import { retention } from './worker.ts'

const hourMs = 3_600_000
const noon = new Date('2026-11-20T12:00:00.000Z')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A sweep of this number of rows that records its calls. */
function rowsOf(name: string, rows: number, more: Partial<Sweep> = {}) {
  const asked: { before: string; limit: number }[] = []
  let left = rows
  const sweep: Sweep = {
    name,
    everyMs: hourMs,
    keepForMs: 0,
    async sweep(_db, before, limit) {
      asked.push({ before: before.toISOString(), limit })
      const deleted = Math.min(left, limit)
      left -= deleted
      return deleted
    },
    ...more,
  }
  return { sweep, asked }
}

function retentionOf(...sweeps: Sweep[]) {
  const swept: [name: string, rows: number][] = []
  const failed: [name: string, error: unknown][] = []
  const startedMs = Date.now()
  const work = retention({
    db: {} as Db,
    sweeps,
    observe: { swept: (...each) => swept.push(each), failed: (...each) => failed.push(each) },
    now: () => noon,
    elapsedMs: () => Date.now() - startedMs,
    random: () => 0.5,
  })
  return { ...work, swept, failed }
}

test('each table loses the rows past its retention, in batches of a thousand, until none are left', async () => {
  const sessions = rowsOf('sessions', 2500)
  const links = rowsOf('links', 0, { keepForMs: 24 * hourMs })
  const { run, swept } = retentionOf(sessions.sweep, links.sweep)
  await run()
  expect(swept).toEqual([
    ['sessions', 1000],
    ['sessions', 1000],
    ['sessions', 500],
    ['sessions', 0],
    ['links', 0],
  ])
  expect(sessions.asked[0]).toEqual({ before: '2026-11-20T12:00:00.000Z', limit: 1000 })
  expect(links.asked).toEqual([{ before: '2026-11-19T12:00:00.000Z', limit: 1000 }])
})

test('a failed sweep is reported, and the others run anyway', async () => {
  const fault = new Error('no such table')
  const broken = rowsOf('broken', 0, { sweep: () => Promise.reject(fault) })
  const links = rowsOf('links', 1)
  const { run, swept, failed } = retentionOf(broken.sweep, links.sweep)
  await run()
  expect(failed).toEqual([['broken', fault]])
  expect(swept.at(0)).toEqual(['links', 1])
})

test('every table is swept at the start, and then at its own interval', async () => {
  const hourly = rowsOf('hourly', 0)
  const daily = rowsOf('daily', 0, { everyMs: 24 * hourMs })
  const { start, stop } = retentionOf(hourly.sweep, daily.sweep)
  start()
  await vi.advanceTimersByTimeAsync(0)
  expect([hourly.asked.length, daily.asked.length]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(hourMs - 1)
  expect([hourly.asked.length, daily.asked.length]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(1)
  expect([hourly.asked.length, daily.asked.length]).toEqual([2, 1])
  await vi.advanceTimersByTimeAsync(23 * hourMs)
  expect([hourly.asked.length, daily.asked.length]).toEqual([25, 2])
  await stop()
  await vi.advanceTimersByTimeAsync(48 * hourMs)
  expect([hourly.asked.length, daily.asked.length]).toEqual([25, 2])
})

test('stopping waits for the current batch and begins no other', async () => {
  const held = Promise.withResolvers<number>()
  const slow = rowsOf('slow', 0, { sweep: () => held.promise })
  const links = rowsOf('links', 1)
  const { start, stop, swept } = retentionOf(slow.sweep, links.sweep)
  start()
  await vi.advanceTimersByTimeAsync(0)
  let hasStopped = false
  const stopped = stop().then(() => {
    hasStopped = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(hasStopped).toBe(false)
  held.resolve(1000)
  await stopped
  expect(swept).toEqual([['slow', 1000]])
  expect(links.asked).toEqual([])
})
