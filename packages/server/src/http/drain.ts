import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

const usualLimits = { keptMs: 1_000, underWayMs: 12_000 }

/**
 * Prepares a server for draining. The returned function accepts no new connections and resolves when the last
 * connection has ended. A connection with a request in flight ends after its answer, within 12 s. A kept connection
 * ends after one more request or a second. Closing all at once, as Node does, would cut off requests that are on their
 * way.
 */
export function drainable(server: Server, { keptMs, underWayMs } = usualLimits): () => Promise<void> {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))

  async function closeIdle(): Promise<void> {
    // After a stall, timers fire before newly arrived data is read, so this reads first.
    await nextTurn()
    await nextTurn()
    server.closeIdleConnections()
    // These connections never carried a request. Node counts them as busy.
    for (const socket of unused) socket.destroy()
  }

  return async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    // The server's own `close` would end idle connections.
    NetServer.prototype.close.call(server)
    const limits = [setTimeout(closeIdle, keptMs), setTimeout(() => server.closeAllConnections(), underWayMs)]
    await closed
    for (const limit of limits) clearTimeout(limit)
  }
}
