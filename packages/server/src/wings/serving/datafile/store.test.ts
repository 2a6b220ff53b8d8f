import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isUnavailable } from '../../../platform/db/index.ts'
import { dataFileOf } from './file.ts'
import { dataFileStore } from './store.ts'

const file = (revision: number, envId = 'e') =>
  dataFileOf({ environment: { id: envId, key: 'production' }, revision, publishedAt: null }, [])
const ingest = { requiredFor: 'NONE', keys: [] } as const
const keys = (envId = 'e', version = 1, sdkKeys = [`sdk_${envId}`]) => ({
  ...{ envId, version, sdkKeys, ingest },
  projectType: 'FEATURE_FLAG' as const,
})
const loaded = (revision: number, envId = 'e') => ({ file: file(revision, envId), keys: keys(envId) })

test('the store keeps the newer revision, regardless of the order of arrival', async () => {
  const store = dataFileStore(async () => undefined)
  for (const revision of [1, 3, 2]) store.put(file(revision))
  store.keep(keys())
  expect((await store.find('sdk_e'))?.revision).toBe(3)
})

test('a key that is not in memory is loaded once', async () => {
  const asked: string[] = []
  const store = dataFileStore(async (sdkKey) => {
    asked.push(sdkKey)
    return loaded(7)
  })
  expect((await store.find('sdk_e'))?.revision).toBe(7)
  await store.find('sdk_e')
  expect(asked).toEqual(['sdk_e'])
})

test('two keys at once are looked for, a thousand wait, and the others hear that the service is busy', async () => {
  // On a busy machine, nobody's patience ends.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked: string[] = []
  let answer = (): void => {}
  const isOver = new Promise<void>((resolve) => {
    answer = resolve
  })
  const store = dataFileStore(async (sdkKey) => {
    asked.push(sdkKey)
    await isOver
    return sdkKey === 'sdk_e' ? loaded(7) : undefined
  })
  const told = Array.from({ length: 1_001 }, (_, number) => store.find(`sdk_${number}`))
  const [own, late] = [store.find('sdk_e'), store.find('sdk_late')]
  await expect(late).rejects.toSatisfy(isUnavailable)
  expect(asked).toEqual(['sdk_0', 'sdk_1'])
  answer()
  expect(new Set(await Promise.all(told))).toEqual(new Set([undefined]))
  expect((await own)?.revision).toBe(7)
  expect(asked).toHaveLength(1_002)
})

test('a removed environment stays removed, even if its file is being read', async () => {
  const store = dataFileStore(async () => loaded(2, 'a'))
  for (const envId of ['a', 'b']) {
    store.put(file(1, envId))
    store.keep(keys(envId))
  }
  store.remove('a')
  expect(await store.find('sdk_a')).toBeUndefined()
  expect(store.held('a')).toBeUndefined()
  expect(store.envIds()).toEqual(['b'])
  expect(await store.find('sdk_b')).toBeDefined()
})

test('an environment is found by each of its keys, and not by one that was revoked', async () => {
  const store = dataFileStore(async () => undefined)
  const revoked: string[] = []
  store.watchKeys((envId, sdkKey) => revoked.push(`${envId} ${sdkKey}`))
  store.put(file(1))
  store.keep(keys('e', 1, ['one']))
  store.keep(keys('e', 2, ['two', 'one']))
  expect([store.findHeld('one'), store.findHeld('two')].map((found) => found?.revision)).toEqual([1, 1])
  store.keep(keys('e', 3, ['two']))
  store.put(file(2))
  expect(store.findHeld('one')).toBeUndefined()
  expect(store.findHeld('two')?.revision).toBe(2)
  expect(revoked).toEqual(['e one'])
})

test('keys that were read before one was revoked do not bring it back', async () => {
  const underWay = Promise.withResolvers<{ file: ReturnType<typeof file>; keys: ReturnType<typeof keys> }>()
  const store = dataFileStore(() => underWay.promise)
  store.put(file(1))
  store.keep(keys('e', 1, ['one']))
  const found = store.find('two')
  store.keep(keys('e', 3, ['one']))
  underWay.resolve({ file: file(2), keys: keys('e', 2, ['two', 'one']) })
  expect(await found).toBeUndefined()
  expect(store.findHeld('one')?.revision).toBe(2)
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
  const store = dataFileStore(async () => loaded(1))
  const held = (await store.find('sdk_e'))!
  const bytes = file(1).bytes()
  expect(await held.body('identity')).toEqual(bytes)
  expect(gunzipSync(await held.body('gzip'))).toEqual(bytes)
  expect(brotliDecompressSync(await held.body('br'))).toEqual(bytes)
  expect(await held.body('br')).toBe(await held.body('br'))
})
