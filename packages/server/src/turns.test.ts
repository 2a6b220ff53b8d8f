import { afterEach, expect, test, vi } from 'vitest'
import { inTurn, inTurnByKey, orTooBusy, TooBusy } from './turns.ts'

/** Work that ends when the test ends it. */
function jobs() {
  const started: number[] = []
  const ends: ((error?: Error) => void)[] = []
  const job = (number: number) => () =>
    new Promise<number>((resolve, reject) => {
      started.push(number)
      ends[number] = (error) => (error ? reject(error) : resolve(number))
    })
  return { started, ends, job }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('at most a fixed number of tasks run at once, the others in order of arrival', async () => {
  const { started, ends, job } = jobs()
  const turns = inTurn({ atOnce: 2, waitingAtMost: 10 })
  const results = [0, 1, 2, 3].map((number) => turns(job(number)))
  await settled()
  expect(started).toEqual([0, 1])
  ends[1]!()
  await settled()
  expect(started).toEqual([0, 1, 2])
  ends[0]!()
  ends[2]!()
  await settled()
  ends[3]!()
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3])
})

test('work beyond the waiting limit is refused, and a failed task frees its place', async () => {
  const { started, ends, job } = jobs()
  const turns = inTurn({ atOnce: 1, waitingAtMost: 1 })
  const first = turns(job(0))
  const second = turns(job(1))
  await expect(turns(job(2))).rejects.toBeInstanceOf(TooBusy)
  ends[0]!(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await settled()
  ends[1]!()
  expect(await second).toBe(1)
  const third = turns(job(3))
  await settled()
  expect(started).toEqual([0, 1, 3])
  ends[3]!()
  expect(await third).toBe(3)
})

test('work of one key waits for none of another, and each key has its own limit', async () => {
  const { started, ends, job } = jobs()
  const turns = inTurnByKey({ atOnce: 1, waitingAtMost: 1 })
  const ofA = [turns('a', job(0)), turns('a', job(1))]
  await expect(turns('a', job(9))).rejects.toBeInstanceOf(TooBusy)
  const ofB = turns('b', job(2))
  await settled()
  expect(started).toEqual([0, 2])
  for (const number of [0, 2, 1]) {
    ends[number]!()
    await settled()
  }
  expect(await Promise.all([...ofA, ofB])).toEqual([0, 1, 2])
  const later = turns('a', job(3))
  await settled()
  ends[3]!()
  expect(await later).toBe(3)
})

test('work without room becomes a refusal, and other failures stay', async () => {
  const refusal = await orTooBusy('Too many previews wait.', Promise.reject(new TooBusy()))
  expect(refusal).toMatchObject({ refusal: 'unavailable', message: 'Too many previews wait. Try again shortly.' })
  await expect(orTooBusy('Too many.', Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await orTooBusy('Too many.', Promise.resolve(1))).toBe(1)
})

afterEach(() => void vi.useRealTimers())

test('work that has waited too long is refused, and the rest keep their places', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { started, ends, job } = jobs()
  const turns = inTurn({ atOnce: 1, waitingAtMost: 10, patienceMs: 1_000 })
  const first = turns(job(0))
  const second = turns(job(1))
  await vi.advanceTimersByTimeAsync(600)
  const third = turns(job(2))
  const turnedAway = expect(second).rejects.toBeInstanceOf(TooBusy)
  await vi.advanceTimersByTimeAsync(400)
  await turnedAway
  ends[0]!()
  await first
  await settled()
  expect(started).toEqual([0, 2])
  await vi.advanceTimersByTimeAsync(10_000)
  ends[2]!()
  expect(await third).toBe(2)
  expect(vi.getTimerCount()).toBe(0)
})
