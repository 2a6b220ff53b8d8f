import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface KeptReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  body: any
  /** Whether the answer closes the connection. */
  isLast: boolean
}

/** One TCP connection that a caller keeps between requests and never replaces. */
export interface KeptConnection {
  send(method: string, path: string, body?: unknown): Promise<KeptReply>
  /** Sends a request without the end of its body. The returned function sends the end. */
  begin(method: string, path: string, body: unknown): Promise<() => Promise<KeptReply>>
  isOpen(): boolean
}

export function keptConnection(url: string, secret: string): KeptConnection {
  let socket: Socket | undefined
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agent.createConnection = (options) => {
    if (socket) throw new Error('the connection was closed')
    socket = connect({ ...(options as { host: string; port: number }), noDelay: true })
    return socket
  }
  const start = (method: string, path: string, length: number) =>
    request(`${url}${path}`, {
      method,
      agent,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(length > 0 && { 'content-type': 'application/json', 'content-length': length }),
      },
    })
  return {
    send(method, path, body) {
      const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))
      const sent = start(method, path, bytes.length)
      const reply = replyTo(sent)
      sent.end(bytes)
      return reply
    },
    async begin(method, path, body) {
      const bytes = Buffer.from(JSON.stringify(body))
      const sent = start(method, path, bytes.length)
      const reply = replyTo(sent)
      await new Promise<void>((resolve) => sent.write(bytes.subarray(0, 1), () => resolve()))
      return () => {
        sent.end(bytes.subarray(1))
        return reply
      }
    },
    isOpen: () => socket !== undefined && !socket.destroyed && socket.writable && !socket.readableEnded,
  }
}

async function replyTo(sent: ClientRequest): Promise<KeptReply> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).on('error', reject)
  })
  const { statusCode = 0, headers } = answer
  return { status: statusCode, body: JSON.parse(await text(answer)), isLast: headers.connection === 'close' }
}
