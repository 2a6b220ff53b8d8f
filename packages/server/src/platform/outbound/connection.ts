import type { TLSSocket } from 'node:tls'
import type { Client } from 'undici'
import type { End } from './abort.ts'
import { connectDirectly, secure } from './connect.ts'
import { discardContinues } from './continues.ts'
import type { Destination } from './destination.ts'
import { exchange, type Request, type Response } from './exchange.ts'
import { connectThrough } from './proxy.ts'
import { type Sink, type Streamed, type StreamRequest, stream } from './streaming.ts'

// Short: servers close idle connections after 2 s or more, and one that closes while we send costs an attempt.
const idleTimeoutMs = 1_000
const headersMaxBytes = 16_384

/** One TLS connection to a checked address. It carries one request at a time. */
export interface Connection {
  /** The address that it is connected to. */
  address: string
  /** Whether it has carried a request before. */
  isUsed: boolean
  isOpen(): boolean
  /** Settles when either side has closed it. */
  closed: Promise<unknown>
  send(request: Request, end: End): Promise<Response>
  /** Gives the body of the response to a sink instead of keeping it. */
  stream(
    request: StreamRequest,
    onHead: (head: Pick<Streamed, 'status' | 'headers'>) => Sink | undefined,
    end: End,
  ): Promise<Streamed>
  close(): void
}

export async function openConnection(to: Destination, proxy: URL | undefined, end: End): Promise<Connection> {
  // Imported with the first delivery: a hundred modules that a node without webhooks never needs.
  const undici = await import('undici')
  const tunnel = await (proxy ? connectThrough(proxy, to, end) : connectDirectly(to, end))
  return carry(await secure(tunnel.socket, to.host, end), to, tunnel.address, undici.Client)
}

function carry(socket: TLSSocket, { host, port }: Destination, address: string, HttpClient: typeof Client): Connection {
  const expectAnswer = discardContinues(socket)
  const client = new HttpClient(`https://${host}:${port}`, {
    // undici gets only this socket: when it is gone and undici asks again, it must not open its own. It does not notice
    // an answer that arrives before it has asked, hence the microtask.
    connect: (_target, done) => queueMicrotask(() => (socket.destroyed ? done(gone(), null) : done(null, socket))),
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: idleTimeoutMs,
    maxHeaderSize: headersMaxBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  const connection: Connection = {
    address,
    isUsed: false,
    isOpen: () => !socket.destroyed && !client.destroyed,
    closed: new Promise((resolve) => socket.once('close', resolve)),
    send(request, end) {
      expectAnswer()
      return exchange(client, request, end)
    },
    stream(request, onHead, end) {
      expectAnswer()
      return stream(client, request, onHead, end)
    },
    close() {
      client.destroy().catch(() => {})
      socket.destroy()
    },
  }
  connection.closed.then(connection.close)
  return connection
}

const gone = () => Object.assign(new Error('the connection is gone'), { code: 'ECONNRESET' })
