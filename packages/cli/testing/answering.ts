import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

/** What a test lets the server do. */
export type Reply = Answer | 'hang up' | 'say nothing' | Promise<Answer>

/** An HTTP server that answers as a test says: for answers that the real service gives only when something is wrong. */
export async function startAnswering(answer: (asked: Asked, count: number) => Reply) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const call = { method, path: url, headers, body: await text(request) }
    asked.push(call)
    const found = await answer(call, asked.length)
    if (found === 'hang up') return void request.socket.destroy()
    if (found === 'say nothing') return
    const { status = 200, headers: own = {}, body } = found
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...own })
    if (status === 304) return void response.end()
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
