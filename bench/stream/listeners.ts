import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/** Streams of one client process, and when each of them heard of a revision. */
export interface Listeners {
  /** Resolves with the time at which each stream had the event of this revision. */
  heard(revision: number): Promise<number[]>
  close(): void
}

const atOnce = 200

export async function listenTo(port: number, path: string, count: number): Promise<Listeners> {
  const arrivals = new Map<number, { times: number[]; all: PromiseWithResolvers<number[]> }>()
  const ofRevision = (revision: number) => {
    const known = arrivals.get(revision) ?? { times: [], all: Promise.withResolvers<number[]>() }
    arrivals.set(revision, known)
    return known
  }
  const sockets: Socket[] = []
  const open = async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    await once(socket, 'connect')
    sockets.push(socket)
    const first = Promise.withResolvers<void>()
    socket.on('data', (text: string) => {
      const now = performance.now()
      for (const [, id] of text.matchAll(/\nid: (\d+)\n/g)) {
        first.resolve()
        const { times, all } = ofRevision(Number(id))
        times.push(now)
        if (times.length === count) all.resolve(times)
      }
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`)
    await first.promise
  }
  while (sockets.length < count)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - sockets.length) }, open))
  return {
    async heard(revision) {
      const times = await ofRevision(revision).all.promise
      arrivals.delete(revision)
      return times
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
