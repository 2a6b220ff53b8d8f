import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, expect, test, vi } from 'vitest'
import { nextEvent, openStream } from '../../../../testing/streams.ts'
import { buildApp } from '../../../http/app.ts'
import type { DataFileStore } from '../datafile/index.ts'
import type { StreamLimits } from './limits.ts'
import { serveStreams } from './routes.ts'
import { dataFileStreams, pingIntervalMs } from './worker.ts'

const errors = { baseUrl: 'http://svc.test', isUnavailable: () => false }
const ends: (() => unknown)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) await end()
})

/** A store that the test fills, with two keys, `a` and `b`, of one environment each. */
function twoFiles() {
  const revisions = new Map([
    ['a', 1],
    ['b', 1],
  ])
  const listeners: Parameters<DataFileStore['watch']>[0][] = []
  const fileOf = (envId: string) => {
    const revision = revisions.get(envId)
    const body = async () => Buffer.from('{}')
    if (revision === undefined) return undefined
    return { envId, revision, publishedAt: null, etag: `"${envId}${revision}"`, change: null, body }
  }
  const store = {
    find: async (sdkKey: string) => fileOf(sdkKey),
    watch: (listener: never) => listeners.push(listener),
    watchKeys() {},
  }
  return {
    store: store as unknown as DataFileStore,
    publish(envId: string, revision: number) {
      revisions.set(envId, revision)
      for (const listener of listeners) listener(envId, fileOf(envId)!)
    },
  }
}

async function serve(limits?: StreamLimits) {
  const files = twoFiles()
  const app = buildApp({ ...errors, log: pino({ level: 'silent' }), trustProxy: false })
  const onError = (error: unknown) => {
    throw error
  }
  const heard: string[] = []
  const used = (sdkKey: string) => heard.push(sdkKey)
  const options = { registry: new Registry(), onError, used, ...(limits && { limits }) }
  const streams = dataFileStreams(files.store, options)
  serveStreams(app, files.store, streams, errors)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  ends.push(() => {
    streams.stop()
    app.server.closeAllConnections()
    return app.close()
  })
  return { ...files, url, streams, app, heard }
}

test('the number of streams is limited for each key and for each node', async () => {
  const { url } = await serve({ streamsPerNode: 3, streamsPerKey: 2, streamsPerAddress: 2 })
  const path = `${url}/api/sdk/v1/stream`
  const first = await openStream(`${path}/a`)
  await openStream(`${path}/a`)
  const ofKey = await fetch(`${path}/a`)
  expect([ofKey.status, ofKey.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await ofKey.json()).toMatchObject({ error: { code: 'rate_limited', details: { limit: 2 } } })
  await openStream(`${path}/b`)
  const ofNode = await fetch(`${path}/b`)
  expect([ofNode.status, ofNode.headers.get('retry-after')]).toEqual([503, '10'])
  await first.close()
  await expect.poll(async () => (await openStream(`${path}/a`)).status).toBe(200)
})

test('the number of streams is limited for each key from one address, and a stream that ends leaves its place', async () => {
  const { url } = await serve({ streamsPerNode: 9, streamsPerKey: 9, streamsPerAddress: 1 })
  const path = `${url}/api/sdk/v1/stream`
  const first = await openStream(`${path}/a`)
  const ofAddress = await fetch(`${path}/a`)
  expect([ofAddress.status, ofAddress.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await ofAddress.json()).toMatchObject({
    error: { message: expect.stringContaining('address'), details: { limit: 1 } },
  })
  await openStream(`${path}/b`)
  await first.close()
  await expect.poll(async () => (await openStream(`${path}/a`)).status).toBe(200)
})

test('a client that leaves while its key is looked up leaves no stream', async () => {
  const node = await serve({ streamsPerNode: 9, streamsPerKey: 1, streamsPerAddress: 9 })
  const path = `${node.url}/api/sdk/v1/stream/a`
  const { find } = node.store
  const [asked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  node.store.find = async (sdkKey) => {
    asked.resolve()
    await found.promise
    return find(sdkKey)
  }
  const [connected, leaving] = [once(node.app.server, 'connection'), new AbortController()]
  const left = fetch(path, { signal: leaving.signal }).catch(() => 'left')
  const [connection] = await connected
  await asked.promise
  const closed = once(connection, 'close')
  leaving.abort()
  expect([await left, await closed]).toEqual(['left', [false]])
  found.resolve()
  expect((await openStream(path)).status).toBe(200)
})

test('a node that is shutting down refuses streams', async () => {
  const { url, streams } = await serve()
  streams.stop()
  const refused = await fetch(`${url}/api/sdk/v1/stream/a`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
})

test('a change after the end of the streams is written to none of them', async () => {
  const { url, streams, publish } = await serve()
  const stream = await openStream(`${url}/api/sdk/v1/stream/a`)
  expect(await nextEvent(stream)).toMatchObject({ id: 1 })
  streams.stop()
  publish('a', 2)
  expect(await nextEvent(stream)).toBeNull()
})

test('one timer pings all silent streams', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { url, heard } = await serve()
  const [one, other] = [await openStream(`${url}/api/sdk/v1/stream/a`), await openStream(`${url}/api/sdk/v1/stream/b`)]
  for (const stream of [one, other]) await nextEvent(stream)
  await vi.advanceTimersByTimeAsync(pingIntervalMs)
  expect([await one.next(), await other.next()]).toEqual([':', ':'])
  // A client that only listens still uses the key.
  expect(heard).toEqual(['a', 'b', 'a', 'b'])
})

/** A client whose connection accepts no data until the test releases it. The kernel would buffer megabytes first. */
async function stuckClient({ url, app }: Awaited<ReturnType<typeof serve>>) {
  const connection = once(app.server, 'connection')
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  const [accepted] = await connection
  socket.write('GET /api/sdk/v1/stream/a HTTP/1.1\r\nHost: svc\r\n\r\n')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const reads = async (part: string) => {
    while (!text.includes(part)) await once(socket, 'data')
    return text
  }
  await reads('id: 1\n')
  const held: Parameters<typeof accepted._write>[] = []
  accepted._writev = null
  accepted._write = (...write: Parameters<typeof accepted._write>) => held.push(write)
  return {
    accepted,
    reads,
    held,
    letGo() {
      delete accepted._write
      for (const write of held) accepted._write(...write)
    },
  }
}

test('a client that falls behind gets only the newest event', async () => {
  const node = await serve()
  const { reads, held, letGo } = await stuckClient(node)
  for (let revision = 2; revision <= 500; revision += 1) node.publish('a', revision)
  await expect.poll(() => held.length).toBe(1)
  node.publish('a', 501)
  letGo()
  const text = await reads('id: 501\n')
  expect(text.match(/^id: /gm)!.length).toBeLessThanOrEqual(3)
})

test('a client that reads nothing between two pings is disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const node = await serve()
  const { accepted } = await stuckClient(node)
  node.publish('a', 2)
  const closed = once(accepted, 'close')
  await vi.advanceTimersByTimeAsync(pingIntervalMs)
  expect(accepted.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(pingIntervalMs)
  await closed
})
