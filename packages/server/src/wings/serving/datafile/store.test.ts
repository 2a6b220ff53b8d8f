import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dataFileOf } from './file.ts'
import { dataFileStore } from './store.ts'

const file = (revision: number, envId = 'e') =>
  dataFileOf({ environment: { id: envId, key: 'production', sdkKey: `sdk_${envId}` }, revision, publishedAt: null }, [])

test('the store keeps the newer revision, regardless of the order of arrival', async () => {
  const store = dataFileStore(async () => undefined)
  for (const revision of [1, 3, 2]) store.put(file(revision))
  expect((await store.find('sdk_e'))?.revision).toBe(3)
})

test('a key that is not in memory is loaded once', async () => {
  const asked: string[] = []
  const store = dataFileStore(async (sdkKey) => {
    asked.push(sdkKey)
    return file(7)
  })
  expect((await store.find('sdk_e'))?.revision).toBe(7)
  await store.find('sdk_e')
  expect(asked).toEqual(['sdk_e'])
})

test('a removed environment stays removed, even if its file is being read', async () => {
  const store = dataFileStore(async () => file(2, 'a'))
  for (const envId of ['a', 'b']) store.put(file(1, envId))
  store.remove('a')
  expect(await store.find('sdk_a')).toBeUndefined()
  expect(store.held('a')).toBeUndefined()
  expect(store.envIds()).toEqual(['b'])
  expect(await store.find('sdk_b')).toBeDefined()
})

test('watchers are notified only of newer files and removed environments', () => {
  const store = dataFileStore(async () => undefined)
  const heard: string[] = []
  store.watch((envId, held) => heard.push(`${envId} ${held?.revision}`))
  for (const revision of [1, 3, 2, 3]) store.put(file(revision))
  store.remove('e')
  store.put(file(4))
  expect(heard).toEqual(['e 1', 'e 3', 'e undefined'])
})

test('every encoding decompresses to the same bytes', async () => {
  const store = dataFileStore(async () => file(1))
  const held = (await store.find('sdk_e'))!
  const bytes = file(1).bytes()
  expect(await held.body('identity')).toEqual(bytes)
  expect(gunzipSync(await held.body('gzip'))).toEqual(bytes)
  expect(brotliDecompressSync(await held.body('br'))).toEqual(bytes)
  expect(await held.body('br')).toBe(await held.body('br'))
})
