import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { createClient } from '../../packages/sdk/src/index.ts'
import { stream } from '../../packages/sdk/src/stream.ts'

/** The streams of one client process, with the time at which each got a revision. */
export interface Listeners {
  /** Resolves with the times at which the streams got this revision. */
  heard(revision: number): Promise<number[]>
  close(): void
}

const atOnce = 200

/** Opens streams. With `file`, the path of the data file, each also fetches it at every revision. */
export async function listenTo(port: number, path: string, count: number, file?: string): Promise<Listeners> {
  const { note, heard } = arrivals(count)
  const sockets: Socket[] = []
  let opened = 0
  const open = async () => {
    opened += 1
    const socket = await connected(port, sockets)
    const fetchFile = file === undefined ? undefined : fetcher(await connected(port, sockets), file)
    const first = Promise.withResolvers<void>()
    socket.on('data', async (text: string) => {
      const now = performance.now()
      for (const [, id] of text.matchAll(/\nid: (\d+)\n/g)) {
        first.resolve()
        note(Number(id), fetchFile ? await fetchFile() : now)
      }
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`)
    await first.promise
  }
  while (opened < count) await Promise.all(Array.from({ length: Math.min(atOnce, count - opened) }, open))
  return {
    heard,
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Starts an SDK and measures until it evaluates the new value. */
export async function followBySdk(port: number, sdkKey: string): Promise<Listeners> {
  const { note, heard } = arrivals(1)
  const client = createClient({ sdkKey, baseUrl: `http://127.0.0.1:${port}`, stream })
  client.on('change', ({ revision }) => note(revision, performance.now()))
  await client.ready
  while (!client.streaming) await new Promise((resolve) => setTimeout(resolve, 10))
  return { heard, close: client.close }
}

function arrivals(count: number) {
  const known = new Map<number, { times: number[]; all: PromiseWithResolvers<number[]> }>()
  const ofRevision = (revision: number) => {
    const found = known.get(revision) ?? { times: [], all: Promise.withResolvers<number[]>() }
    known.set(revision, found)
    return found
  }
  return {
    note(revision: number, time: number) {
      const { times, all } = ofRevision(revision)
      times.push(time)
      if (times.length === count) all.resolve(times)
    },
    async heard(revision: number) {
      const times = await ofRevision(revision).all.promise
      known.delete(revision)
      return times
    },
  }
}

async function connected(port: number, sockets: Socket[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  await once(socket, 'connect')
  sockets.push(socket)
  return socket
}

/** Fetches over a kept connection, one request at a time. Resolves with the time of the last byte. */
function fetcher(socket: Socket, path: string): () => Promise<number> {
  let answer = ''
  let whole = Promise.withResolvers<number>()
  socket.on('data', (text: string) => {
    answer += text
    const headEnd = answer.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1])
    if (headEnd < 0 || answer.length < headEnd + 4 + length) return
    answer = ''
    whole.resolve(performance.now())
  })
  return () => {
    whole = Promise.withResolvers<number>()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n\r\n`)
    return whole.promise
  }
}
