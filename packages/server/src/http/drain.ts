import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

const usualLimits = { keptMs: 1_000, underWayMs: 12_000 }

/**
 * Makes a server ready to be drained. The returned function takes no new connection and resolves when the last has
 * ended: one with a request under way after its answer, for 12 s at the most, and one that a caller keeps after one
 * more request or a second. Closing them at once, as Node does, would cut off requests that are on their way.
 */
export function drainable(server: Server, { keptMs, underWayMs } = usualLimits): () => Promise<void> {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))

  async function closeIdle(): Promise<void> {
    // After a stall, timers come before what has arrived meanwhile: it is read first.
    await nextTurn()
    await nextTurn()
    server.closeIdleConnections()
    // Nothing was ever asked over these; to Node they are busy.
    for (const socket of unused) socket.destroy()
  }

  return async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    // Not the server's own close, which ends idle connections.
    NetServer.prototype.close.call(server)
    const limits = [setTimeout(closeIdle, keptMs), setTimeout(() => server.closeAllConnections(), underWayMs)]
    await closed
    for (const limit of limits) clearTimeout(limit)
  }
}
