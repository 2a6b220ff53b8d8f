import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket, type TlsOptions } from 'node:tls'
import { answers } from './answers.ts'

const headEnd = '\r\n\r\n'

export interface ReceivedRequest {
  /** Request line and headers, unchanged. */
  head: string
  path: string
  body: string
  /** The address of this machine that received it. */
  to: string
  /** Equal for requests over one connection. */
  connection: number
  serverName: string | false | null | undefined
}

/** An HTTPS server that answers by the table `answers` and remembers its requests. */
export interface Receiver {
  port: number
  requests: ReceivedRequest[]
  /** The number of TCP connections, including unused ones. */
  connections(): number
  close(): Promise<void>
}

export interface ReceiverOptions extends TlsOptions {
  host?: string
  port?: number
}

export async function startReceiver({ host = '127.0.0.1', port = 0, ...options }: ReceiverOptions): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const open = new Set<Socket>()
  const secureContext = createSecureContext(options)
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => {}).once('close', () => open.delete(socket))
    const secured = new TLSSocket(socket, { isServer: true, secureContext })
    // In these tests, callers close connections at any moment.
    secured.on('error', () => {})
    readRequests(secured, connections, socket.localAddress ?? '', (request) => {
      requests.push(request)
      answer(secured, request.path)
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function readRequests(
  socket: TLSSocket,
  connection: number,
  to: string,
  onRequest: (request: ReceivedRequest) => void,
): void {
  let held = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    held += chunk
    for (;;) {
      const at = held.indexOf(headEnd)
      if (at < 0) return
      const head = held.slice(0, at)
      const end = at + headEnd.length + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (held.length < end) return
      const body = Buffer.from(held.slice(at + headEnd.length, end), 'latin1').toString()
      held = held.slice(end)
      onRequest({ head, path: head.split(' ')[1]!, body, to, connection, serverName: socket.servername })
    }
  })
}

function answer(socket: TLSSocket, target: string): void {
  const [path = '', query = ''] = target.split('?')
  const act = answers[path]
  if (!act) throw new Error(`there is no answer for ${path}`)
  act(socket, query)
}
