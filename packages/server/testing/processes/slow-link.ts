import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** A connection to a server that a test can slow down. */
export interface SlowLink {
  /** The same address through the link. */
  url: string
  /** Delays all traffic by this time. */
  delayBy(ms: number): void
  close(): Promise<void>
}

export async function slowLink(target: string): Promise<SlowLink> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let delayMs = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const transform = (bytes: Buffer, _encoding: string, done: (error: null, bytes: Buffer) => void) =>
        void pause(delayMs).then(() => done(null, bytes))
      from.pipe(new PassThrough({ transform })).pipe(to)
      sockets.add(from)
      from.on('error', () => undefined)
      from.once('close', () => {
        to.destroy()
        sockets.delete(from)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    delayBy: (ms) => {
      delayMs = ms
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
