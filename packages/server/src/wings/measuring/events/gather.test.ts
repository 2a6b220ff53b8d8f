import { expect, test } from 'vitest'
import { type GatherOptions, gathering } from './gather.ts'
import type { NewEvent } from './store.ts'

const event = (id: number) => ({ id: String(id) }) as NewEvent
const events = (from: number, count: number) => Array.from({ length: count }, (_, place) => event(from + place))

/** Writes that a test ends itself. */
function held(options: Partial<GatherOptions<NewEvent>> = {}) {
  const writes: { ids: string[]; end(): void; fail(): void }[] = []
  const gathered = gathering<NewEvent>({
    mostTogether: 10,
    atOnce: 1,
    mostWaiting: 20,
    ...options,
    append: (batch) =>
      new Promise((resolve, reject) => {
        const ids = batch.map(({ id }) => id)
        // Events with an even id are new.
        const end = () => resolve(ids.map((id) => Number(id) % 2 === 0))
        writes.push({ ids, end, fail: () => reject(new Error('unavailable')) })
      }),
  })
  return { writes, gathered }
}

test('what arrives during a write is written together afterwards', async () => {
  const { writes, gathered } = held()
  const first = gathered.add([event(0)])
  const others = [gathered.add([event(2), event(3)]), gathered.add([event(5)])]
  expect(writes.map(({ ids }) => ids)).toEqual([['0']])
  writes[0]!.end()
  expect(await first).toEqual([true])
  expect(writes[1]!.ids).toEqual(['2', '3', '5'])
  writes[1]!.end()
  expect(await Promise.all(others)).toEqual([[true, false], [false]])
  expect(gathered.waiting()).toBe(0)
})

test('a large request is spread over several writes, and its answer waits for all', async () => {
  const { writes, gathered } = held({ mostTogether: 4 })
  const answer = gathered.add(events(0, 6))!
  const next = gathered.add(events(6, 3))!
  writes[0]!.end()
  await expect.poll(() => writes.length).toBe(2)
  expect(writes[1]!.ids).toEqual(['4', '5', '6', '7'])
  writes[1]!.end()
  expect(await answer).toEqual([true, false, true, false, true, false])
  writes[2]!.end()
  expect(await next).toEqual([true, false, true])
})

test('several writes can be under way', async () => {
  const { writes, gathered } = held({ mostTogether: 2, atOnce: 2 })
  const answer = gathered.add(events(0, 5))!
  expect(writes.map(({ ids }) => ids)).toEqual([
    ['0', '1'],
    ['2', '3'],
  ])
  writes[1]!.end()
  await expect.poll(() => writes.length).toBe(3)
  writes[2]!.end()
  writes[0]!.end()
  expect(await answer).toEqual([true, false, true, false, true])
})

test('a request that does not fit is refused whole, until there is room', async () => {
  const { writes, gathered } = held({ mostWaiting: 5 })
  const first = gathered.add(events(0, 3))
  expect(gathered.add(events(3, 3))).toBeUndefined()
  const second = gathered.add(events(6, 2))
  expect(gathered.waiting()).toBe(5)
  writes[0]!.end()
  await first
  expect(gathered.add(events(8, 3))).toBeDefined()
  writes[1]!.end()
  expect(await second).toEqual([true, false])
})

test('a write that fails fails its requests, and no others', async () => {
  const { writes, gathered } = held({ mostTogether: 4 })
  const failing = [gathered.add(events(0, 2))!, gathered.add(events(2, 6))!]
  const next = gathered.add(events(8, 1))!
  writes[0]!.end()
  expect(await failing[0]).toEqual([true, false])
  expect(writes[1]!.ids).toEqual(['2', '3', '4', '5'])
  writes[1]!.fail()
  await expect(failing[1]).rejects.toThrow('unavailable')
  expect(writes[2]!.ids).toEqual(['8'])
  writes[2]!.end()
  expect(await next).toEqual([true])
  expect(gathered.waiting()).toBe(0)
})

test('a request without events needs no write', async () => {
  const { writes, gathered } = held()
  expect(await gathered.add([])).toEqual([])
  expect(writes).toEqual([])
})
