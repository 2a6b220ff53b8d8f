import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { until } from './until.ts'

async function* pieces() {
  yield 1
  yield 2
}

async function* silentAfter(first: number) {
  yield first
  await new Promise(() => {})
}

async function readAll(from: AsyncIterable<number>, found: number[] = []): Promise<number[]> {
  for await (const piece of from) found.push(piece)
  return found
}

test('all pieces come, and nothing stays at the signal', async () => {
  const { signal } = new AbortController()
  expect(await readAll(until(pieces(), signal))).toEqual([1, 2])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('the signal ends them with its reason, also while none comes', async () => {
  const ending = new AbortController()
  const found: number[] = []
  const read = readAll(until(silentAfter(1), ending.signal), found)
  await expect.poll(() => found).toEqual([1])
  const reason = new Error('over')
  ending.abort(reason)
  await expect(read).rejects.toBe(reason)
  await expect(readAll(until(pieces(), ending.signal))).rejects.toBe(reason)
})

test('whoever leaves early closes them', async () => {
  let isClosed = false
  async function* closing() {
    try {
      yield* pieces()
    } finally {
      isClosed = true
    }
  }
  for await (const piece of until(closing(), new AbortController().signal)) {
    expect(piece).toBe(1)
    break
  }
  await expect.poll(() => isClosed).toBe(true)
})
