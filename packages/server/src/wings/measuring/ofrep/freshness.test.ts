import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dataFileOf, dataFileStore } from '../../serving/datafile/index.ts'
import { freshFiles, mostWaiting } from './freshness.ts'

const ingest = { requiredFor: 'NONE', keys: [] } as const
const environment = { id: 'e', key: 'production' }
const at = (seconds: number) => new Date(seconds * 1_000)
const file = (revision: number) => dataFileOf({ environment, revision, publishedAt: at(revision) }, [])

function storeWith(revision: number) {
  const store = dataFileStore(async () => undefined)
  store.put(file(revision))
  store.keep({ envId: 'e', version: 1, sdkKeys: ['sdk_e'], ingest, projectType: 'FEATURE_FLAG' })
  return store
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a file that is new enough is answered at once', async () => {
  const store = storeWith(2)
  const found = await freshFiles(store)('sdk_e', { etag: file(2).etag, modifiedAt: 2 })
  expect(found?.revision).toBe(2)
})

it('a node that is behind answers when the revision arrives', async () => {
  const store = storeWith(1)
  const answer = freshFiles(store)('sdk_e', { etag: file(3).etag, modifiedAt: 3 })
  await vi.advanceTimersByTimeAsync(100)
  store.put(file(2))
  await vi.advanceTimersByTimeAsync(100)
  store.put(file(3))
  expect((await answer)?.revision).toBe(3)
})

it('a node that stays behind answers after a second with what it has', async () => {
  const store = storeWith(1)
  let revision: number | undefined
  void freshFiles(store)('sdk_e', { etag: 'none', modifiedAt: 9 }).then((found) => {
    revision = found?.revision
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(revision).toBeUndefined()
  await vi.advanceTimersByTimeAsync(2)
  expect(revision).toBe(1)
})

it('only so many requests wait: further ones are answered at once with what the node has', async () => {
  const store = storeWith(1)
  const fresh = freshFiles(store)
  const ask = () => fresh('sdk_e', { etag: 'none', modifiedAt: 9 })
  const waiting = Array.from({ length: mostWaiting }, ask)
  expect((await ask())?.revision).toBe(1)
  store.put(file(10))
  expect((await Promise.all(waiting)).map((found) => found?.revision)).toEqual(waiting.map(() => 10))
})

it('an environment that is deleted meanwhile has no file', async () => {
  const store = storeWith(1)
  const answer = freshFiles(store)('sdk_e', { etag: 'none', modifiedAt: 9 })
  await vi.advanceTimersByTimeAsync(0)
  store.remove('e')
  expect(await answer).toBeUndefined()
})

it('a key that is revoked meanwhile has no file', async () => {
  const store = storeWith(1)
  const answer = freshFiles(store)('sdk_e', { etag: 'none', modifiedAt: 9 })
  await vi.advanceTimersByTimeAsync(0)
  store.keep({ envId: 'e', version: 2, sdkKeys: ['sdk_other'], ingest, projectType: 'FEATURE_FLAG' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await answer).toBeUndefined()
})
