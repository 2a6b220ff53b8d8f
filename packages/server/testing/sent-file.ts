import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestService } from './service.ts'

/** A file on its way: `write` sends a piece, `end` the last one. */
export interface SentFile {
  request: ClientRequest
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  answer: Promise<{ status: number; body: any }>
}

/** Opens a port once, and sends files to addresses of a service. */
export async function fileSender(service: TestService): Promise<(path: string, headers?: object) => SentFile> {
  const base = await service.app.listen({ port: 0, host: '127.0.0.1' })
  return (path, headers = {}) => {
    const sent = request(`${base}${path}`, {
      agent: false,
      method: 'POST',
      headers: { authorization: `Bearer ${service.people.admin}`, 'content-type': 'text/csv', ...headers },
    })
    const answer = once(sent, 'response').then(async ([answered]) => {
      const response = answered as IncomingMessage
      const body = await text(response)
      return { status: response.statusCode!, body: JSON.parse(body) as unknown }
    })
    answer.catch(() => {})
    return { request: sent, answer }
  }
}
