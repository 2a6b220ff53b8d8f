import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gathering } from './gathering.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Gathers numbers, and notes what is handed on and when. Each handing-on takes this long. */
function taking(ms: number) {
  const taken: { at: number; items: number[] }[] = []
  const began = performance.now()
  const { add, stop } = gathering<number>((items) => {
    taken.push({ at: performance.now() - began, items })
    return new Promise((resolve) => setTimeout(resolve, ms))
  })
  return { add, stop, taken }
}

it('gathering hands on together what comes within a moment', async () => {
  const { add, taken } = taking(0)
  add(1)
  await vi.advanceTimersByTimeAsync(149)
  add(2)
  expect(taken).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(taken).toEqual([{ at: 150, items: [1, 2] }])
})

it('gathering hands on nothing while it is empty', async () => {
  const { add, taken } = taking(10)
  add(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(taken).toEqual([{ at: 150, items: [1] }])
  add(2)
  await vi.advanceTimersByTimeAsync(150)
  expect(taken[1]).toEqual({ at: 60_150, items: [2] })
})

it('gathering rests twice as long as a reading took', async () => {
  const { add, taken } = taking(500)
  add(1)
  await vi.advanceTimersByTimeAsync(400)
  add(2)
  await vi.advanceTimersByTimeAsync(800)
  add(3)
  await vi.advanceTimersByTimeAsync(500)
  expect(taken).toEqual([
    { at: 150, items: [1] },
    { at: 1_650, items: [2, 3] },
  ])
})

it('gathering reads at most a third of the time, however many changes come, and reads the last one', async () => {
  const { add, taken } = taking(300)
  for (let change = 0; change < 1_000; change += 1) {
    add(change)
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(taken.flatMap(({ items }) => items)).toEqual(Array.from({ length: 1_000 }, (_, change) => change))
  expect(taken.length).toBeGreaterThan(5)
  expect(taken.length).toBeLessThanOrEqual(Math.ceil(11_000 / 900))
})

it('gathering goes on after a reading that does not end', async () => {
  const { add, taken } = taking(1_000_000)
  add(1)
  await vi.advanceTimersByTimeAsync(150)
  add(2)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(taken.map(({ items }) => items)).toEqual([[1], [2]])
})

it.each([
  ['before it hands on', 100],
  ['while it rests', 1_000],
])('gathering stops %s', async (_, ms) => {
  const { add, stop, taken } = taking(500)
  add(1)
  await vi.advanceTimersByTimeAsync(ms)
  add(2)
  stop()
  const before = taken.length
  await vi.advanceTimersByTimeAsync(60_000)
  add(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(taken.length).toBe(before)
})
