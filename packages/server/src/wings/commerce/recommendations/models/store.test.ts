import type { Model } from '@svc/recommend'
import { expect, test } from 'vitest'
import type { LiveModel } from './live.ts'
import { type HeldModel, modelStore } from './store.ts'

const model: Model = { kind: 'RANKED', ids: [], ranked: { numbers: new Uint32Array(), scores: new Float64Array() } }
const held = (runId: string, runNumber: number): HeldModel => {
  const one: LiveModel = { id: 'm', key: 'popular', strategy: 'POPULAR', runNumber, model }
  return { runId, models: [one] }
}

/** A store whose database answers when the test says so. */
function storeWith() {
  const asked: { projectId: string; knew: string[]; answer: (models: HeldModel[]) => void; fail: () => void }[] = []
  const store = modelStore((projectId, known) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly HeldModel[]>()
    asked.push({ projectId, knew: [...known.keys()], answer: resolve, fail: () => reject(new Error('away')) })
    return promise
  })
  return { store, asked }
}

test('models are read once, when somebody asks for them', async () => {
  const { store, asked } = storeWith()
  await store.refresh('p')
  expect([store.of('p'), asked.length]).toEqual([[], 0])
  const ready = Promise.all([store.ready('p'), store.ready('p')])
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!.answer([held('r1', 1)])
  await ready
  await store.ready('p')
  expect(store.of('p')).toMatchObject([{ runNumber: 1 }])
  expect(asked).toHaveLength(1)
})

test('the old list serves until the new one is complete, and a list never changes', async () => {
  const { store, asked } = storeWith()
  const ready = store.ready('p')
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!.answer([held('r1', 1)])
  await ready
  const before = store.of('p')
  const refreshed = store.refresh('p')
  await expect.poll(() => asked.length).toBe(2)
  expect([store.of('p') === before, asked[1]!.knew]).toEqual([true, ['r1']])
  asked[1]!.answer([held('r2', 2)])
  await refreshed
  expect([before[0]!.runNumber, store.of('p')[0]!.runNumber]).toEqual([1, 2])
})

test('a notice during a read causes one more read', async () => {
  const { store, asked } = storeWith()
  const ready = store.ready('p')
  await expect.poll(() => asked.length).toBe(1)
  const refreshed = store.refresh('p')
  asked[0]!.answer([held('r1', 1)])
  await ready
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.answer([held('r2', 2)])
  await refreshed
  expect(store.of('p')).toMatchObject([{ runNumber: 2 }])
})

test('a read that fails is tried again by the next caller, and leaves what serves', async () => {
  const { store, asked } = storeWith()
  const first = store.ready('p')
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!.fail()
  await expect(first).rejects.toThrow('away')
  const second = store.ready('p')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.answer([held('r1', 1)])
  await second
  const third = store.refreshAll()
  await expect.poll(() => asked.length).toBe(3)
  asked[2]!.fail()
  await expect(third).rejects.toThrow('away')
  expect(store.of('p')).toMatchObject([{ runNumber: 1 }])
})
