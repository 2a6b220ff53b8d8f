import { ApiError } from '@svc/client'
import { afterEach, expect, it, vi } from 'vitest'
import { inTurns, type Wait } from './in-turns.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('a run calls for every item, four at a time, and collects failures', async () => {
  let running = 0
  let most = 0
  const progress: number[] = []
  const { failed, left } = await inTurns(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    async (item) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      if (item % 5 === 0) throw new Error(`not ${item}`)
    },
    { onDone: (done) => progress.push(done) },
  )
  expect(most).toBe(4)
  expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(failed.map(({ item }) => item)).toEqual([5, 10])
  expect(left).toEqual([])
})

/** A service that takes three calls in a minute. */
function limited() {
  const taken: number[] = []
  let inMinute = 0
  const act = async (item: number) => {
    await Promise.resolve()
    inMinute += 1
    if (inMinute > 3) {
      const details = { limit: 3, windowSeconds: 60, retryAfterSeconds: 40 }
      throw new ApiError('Too many requests.', { code: 'rate_limited', status: 429, requestId: null, details })
    }
    taken.push(item)
  }
  return {
    taken,
    act,
    minutePasses: async () => {
      inMinute = 0
      await vi.advanceTimersByTimeAsync(40_000)
    },
  }
}

it('a run waits for the next minute where the service takes no more, and says until when', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-28T14:00:20Z') })
  const { taken, act, minutePasses } = limited()
  const waits: (Wait | undefined)[] = []
  const work = inTurns([1, 2, 3, 4, 5, 6, 7], act, { onWait: (wait) => waits.push(wait) })
  await vi.advanceTimersByTimeAsync(39_000)
  expect(taken).toEqual([1, 2, 3])
  expect(waits).toEqual([{ until: new Date('2026-11-28T14:01:00Z'), limit: 3 }])
  await minutePasses()
  await minutePasses()
  expect(await work).toEqual({ failed: [], left: [] })
  expect(taken.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(waits.map((wait) => wait !== undefined)).toEqual([true, false, true, false])
})

it('a run can be ended while it waits, and returns what was not tried', async () => {
  vi.useFakeTimers()
  const { taken, act } = limited()
  const ending = new AbortController()
  const work = inTurns([1, 2, 3, 4, 5, 6], act, { signal: ending.signal })
  await vi.advanceTimersByTimeAsync(1_000)
  ending.abort()
  const { failed, left } = await work
  expect(failed).toEqual([])
  expect([taken, left.toSorted()]).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
})
