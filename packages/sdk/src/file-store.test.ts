import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerWith } from '../test/service.ts'
import { fileStore } from './file-store.ts'

const file = datafileOf(5, { checkout: flagOf(true) })
const soon = { interval: 2 }

async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('keeps the last valid file for the next process, and leaves no temporary files', async () => {
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

it('never serves the file of a different SDK key', async () => {
  const folder = await folderOfTest()
  await writeFile(join(folder, 'svc-sdk_2.json'), JSON.stringify(file))
  const { client } = clientOfTest({ offline: true, store: fileStore(folder) })
  expect(await client.waitUntilReady()).toBe(false)
})

it.each([
  ['cut off', (path: string) => truncate(path, 40)],
  ['too large', (path: string) => truncate(path, 5_000_000_000)],
])('ignores a file that is %s, and replaces it', async (_name, harm) => {
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

it('removes the temporary files of a killed process and nothing else', async () => {
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

it('continues without a folder when it is not allowed to create it', async () => {
  const service = await serviceOfTest(answerWith(file))
  const { client, warnings } = clientOfTest({ baseUrl: service.baseUrl, store: fileStore('/dev/null/x') })
  await client.refresh()
  expect(client.status).toBe('ready')
  await expect.poll(() => warnings, soon).toContain('Svc: the store failed')
})
