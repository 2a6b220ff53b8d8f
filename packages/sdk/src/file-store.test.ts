import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerWith } from '../test/service.ts'
import { fileStore } from './file-store.ts'

const file = datafileOf(5, { checkout: flagOf(true) })
const soon = { interval: 2, timeout: 10_000 }

async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('keeps the last good file for the next process, and leaves nothing unfinished', async () => {
  const folder = join(await folderOfTest(), 'made', 'by itself')
  const service = await serviceOfTest(answerWith(file))
  const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, store: fileStore(folder) })
  await client.ready
  client.close()
  await expect.poll(() => readdir(folder), soon).toEqual(['svc-sdk_1.json'])
  expect(JSON.parse(await readFile(join(folder, 'svc-sdk_1.json'), 'utf8'))).toEqual(file)
  expect(warnings).toEqual([])

  const next = clientOfTest({ offline: true, store: fileStore(folder) }).client
  expect(await next.waitUntilReady()).toBe(true)
  expect([next.status, next.getBoolean('checkout', false)]).toEqual(['stale', true])
})

it('serves no SDK key the file of another', async () => {
  const folder = await folderOfTest()
  await writeFile(join(folder, 'svc-sdk_2.json'), JSON.stringify(file))
  const { client } = clientOfTest({ offline: true, store: fileStore(folder) })
  expect(await client.waitUntilReady()).toBe(false)
})

it.each([
  ['cut off', (path: string) => truncate(path, 40)],
  ['too large', (path: string) => truncate(path, 5_000_000_000)],
])('ignores a file that is %s, and writes it anew', async (_name, harm) => {
  const folder = await folderOfTest()
  const path = join(folder, 'svc-sdk_1.json')
  await writeFile(path, JSON.stringify(datafileOf(9)))
  await harm(path)
  const service = await serviceOfTest(answerWith(file))
  const { client } = clientOfTest({ baseUrl: service.baseUrl, store: fileStore(folder) })
  await client.refresh()
  expect(client.revision).toBe(5)
  await expect.poll(async () => JSON.parse(await readFile(path, 'utf8')), soon).toEqual(file)
})

it('clears away what a process that was killed has left unfinished, and nothing else', async () => {
  const folder = await folderOfTest()
  const long = new Date(Date.now() - 120_000)
  const left = ['svc-sdk_1.json.a.tmp', 'svc-sdk_2.json.a.tmp', 'svc-sdk_1.json.tmp.txt']
  for (const name of left) await writeFile(join(folder, name), '{')
  for (const name of left) await utimes(join(folder, name), long, long)
  await writeFile(join(folder, 'svc-sdk_1.json.b.tmp'), '{')
  const service = await serviceOfTest(answerWith(file))
  clientOfTest({ baseUrl: service.baseUrl, store: fileStore(folder) })
  const kept = ['svc-sdk_1.json', 'svc-sdk_1.json.b.tmp', 'svc-sdk_1.json.tmp.txt', 'svc-sdk_2.json.a.tmp']
  await expect.poll(async () => (await readdir(folder)).sort(), soon).toEqual(kept)
})

it('goes on without a folder that it may not make', async () => {
  const service = await serviceOfTest(answerWith(file))
  const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, store: fileStore('/dev/null/x') })
  await client.refresh()
  expect(client.status).toBe('ready')
  await expect.poll(() => warnings, soon).toContain('Svc: the store failed')
})
