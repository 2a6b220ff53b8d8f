import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerStream, answerWith, eventOf } from '../test/service.ts'

// Everything that the client and its parts use from the runtime, besides JavaScript itself.
const webGlobals = {
  AbortController,
  clearTimeout,
  console,
  fetch: asInBrowsers,
  queueMicrotask,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
}
const first = datafileOf(5, { checkout: flagOf(false) })
const second = datafileOf(6, { checkout: flagOf(true) })
const soon = { interval: 2 }
let folder: string
let script: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'))
  await build({
    config: false,
    entry: { live: fileURLToPath(new URL('live.ts', import.meta.url)) },
    outDir: folder,
    format: 'iife',
    globalName: 'svc',
    platform: 'neutral',
    target: 'es2022',
    deps: { alwaysBundle: ['@svc/core'] },
    dts: false,
    logLevel: 'silent',
  })
  script = await readFile(join(folder, 'live.iife.js'), 'utf8')
})
afterAll(() => rm(folder, { recursive: true }))

/** Fails like the `fetch` of a browser when it is called as a method. */
function asInBrowsers(this: unknown, ...given: Parameters<typeof fetch>): Promise<Response> {
  if (this !== undefined) throw new TypeError('Illegal invocation')
  return fetch(...given)
}

/** Takes the first file, gets the second from the stream, reports both and ends. */
const program = (baseUrl: string, tell: string) => `
  const { createClient, createStore, stream } = svc
  const store = createStore({ load: () => null, save: (key, text) => ${tell}('saved ' + JSON.parse(text).revision) })
  const client = createClient({ sdkKey: 'sdk_1', baseUrl: '${baseUrl}', stream, store })
  client.on('ready', () => ${tell}('ready ' + client.getBoolean('checkout', true)))
  client.on('change', () => ${tell}('change ' + client.getBoolean('checkout', false)))`

async function streamingService() {
  const service = await serviceOfTest(answerWith(first))
  service.streamAnswer = (request, response) => {
    answerStream(eventOf(5))(request, response)
    service.answer = answerWith(second)
  }
  return service
}

describe('the built client streams, stores and evaluates', () => {
  it.each([
    ['a page', { location: { href: 'https://shop.example/' } }, 'browser'],
    ['an edge runtime', {}, 'edge'],
  ])('using only web standards, as in %s', async (_name, more, sdkType) => {
    const service = await streamingService()
    const heard: string[] = []
    const context = createContext({ ...webGlobals, ...more, tell: (line: string) => heard.push(line) })
    runInContext(`${script};{${program(service.baseUrl, 'tell')};globalThis.client = client}`, context)
    await expect.poll(() => heard, soon).toContain('saved 5')
    await expect.poll(() => context.client.streaming, soon).toBe(true)
    service.streams[0]?.response.write(eventOf(6))
    await expect.poll(() => heard, soon).toEqual(['ready false', 'saved 5', 'change true', 'saved 6'])
    await expect.poll(() => service.heartbeats.at(-1)?.body, soon).toMatchObject({ sdkType, revision: 6 })
    context.client.close()
    const { headers } = service.requests[1]!
    expect('if-none-match' in headers).toBe(sdkType !== 'browser')
  })

  it('in a worker thread', async () => {
    const service = await streamingService()
    const heard: string[] = []
    const source = `const { parentPort } = require('node:worker_threads')
      const tell = (line) => parentPort.postMessage(line)
      ${script};${program(service.baseUrl, 'tell')}
      parentPort.once('message', () => { client.close(); parentPort.close() })`
    const worker = new Worker(source, { eval: true })
    worker.on('message', (line) => heard.push(line))
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    await expect.poll(() => [heard.length, service.streams.length], soon).toEqual([2, 1])
    service.streams[0]?.response.write(eventOf(6))
    await expect.poll(() => heard, soon).toEqual(['ready false', 'saved 5', 'change true', 'saved 6'])
    worker.postMessage('end')
    expect(await ended).toBe(0)
  })
})
