import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Transform } from 'node:stream'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

/** A way to a server that a test makes slow, holds up or cuts. */
export interface FaultyLink {
  /** The same address by way of the link. */
  url: string
  /** Every connection breaks, and new ones are refused, as when the server was killed. */
  break(): Promise<void>
  mend(): Promise<void>
  /** Connections are taken and kept, and nothing comes through, as when the server is stopped. */
  hold(): void
  release(): void
  /** What goes through does so this much later. */
  delayBy(ms: number): void
  close(): Promise<void>
}

export async function faultyLink(target: string): Promise<FaultyLink> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const lanes = new Set<Transform>()
  let isHeld = false
  let delayMs = 0

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const lane = new PassThrough({
        transform: (bytes, _encoding, done) => void pause(delayMs).then(() => done(null, bytes)),
      })
      lanes.add(lane)
      if (isHeld) lane.cork()
      from.pipe(lane).pipe(to)
      sockets.add(from)
      from.on('error', () => undefined)
      from.once('close', () => {
        to.destroy()
        sockets.delete(from)
        lanes.delete(lane)
      })
    }
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const own = await listen(0)
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(own)
  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: url.href,
    break: stop,
    mend: async () => void (await listen(own)),
    hold: () => {
      isHeld = true
      for (const lane of lanes) lane.cork()
    },
    release: () => {
      isHeld = false
      for (const lane of lanes) lane.uncork()
    },
    delayBy: (ms) => {
      delayMs = ms
    },
    close: stop,
  }
}
