import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { DataFile, Flag } from '@svc/core'

/** What clients send to the address for events. */
export interface SentEvents {
  sdkKey: string
  events: { id: string; ts: string; type: string; unit: string; [field: string]: unknown }[]
}

/** Answers a request for the data file. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export const etagOf = (revision: number, environmentId = 'e-1'): string => `"r${revision}-${environmentId}"`

/** Serves a data file with an ETag, as the service does. */
export function answerWith(file: DataFile): Answer {
  const etag = etagOf(file.revision, file.environment.id)
  return (request, response) => {
    const same = request.headers['if-none-match'] === etag
    response.writeHead(same ? 304 : 200, { etag, 'content-type': 'application/json' })
    response.end(same ? undefined : JSON.stringify(file))
  }
}

/** Answers with this status and body. */
export const answerStatus =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

/** Sends one megabyte after another until the other side hangs up. */
export const answerEndlessly: Answer = (_request, response) => {
  response.writeHead(200)
  const chunk = Buffer.alloc(1_000_000, 32)
  const send = () => {
    while (response.write(chunk));
  }
  response.on('drain', send)
  send()
}

/** Opens an event stream, beginning with this text. */
export const answerStream =
  (text = ''): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.flushHeaders()
    if (text) response.write(text)
  }

/** An event as the service sends it. */
export const eventOf = (revision: number): string =>
  `id: ${revision}\ndata: {"type":"refetchEvaluation","etag":"\\"r${revision}\\"","lastModified":1793000000}\n\n`

/** A stream event that includes a change to the file with the ETag `from`. */
export const changeEventOf = (revision: number, from: string, flags: Record<string, Flag | null>): string => {
  const change = { from, publishedAt: '2026-11-20T11:00:00.000Z', flags }
  return `id: ${revision}\ndata: ${JSON.stringify({ type: 'refetchEvaluation', etag: etagOf(revision), change })}\n\n`
}

/** Never answers. */
export const answerNever: Answer = () => {}

/** Starts an HTTP server on loopback in place of the service. Set `answer` at any time to change what it answers. */
export async function startService(answer: Answer, port = 0) {
  const service = {
    answer,
    heartbeatAnswer: answerStatus(200, '{"success":true}'),
    streamAnswer: answerStatus(404),
    eventsAnswer: answerStatus(202, '{"accepted":1,"duplicates":0,"rejected":[]}'),
    /** Requests for data files, heartbeats and streams, in order of arrival. */
    requests: [] as IncomingMessage[],
    streams: [] as { request: IncomingMessage; response: ServerResponse }[],
    heartbeats: [] as { headers: IncomingMessage['headers']; body: Record<string, string | number> }[],
    /** The bodies of requests with events. */
    events: [] as SentEvents[],
    /** The header `Authorization` of each request with events. */
    eventKeys: [] as (string | undefined)[],
    baseUrl: '',
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/api/sdk/v1/stream/')) {
      service.streams.push({ request, response })
      return service.streamAnswer(request, response)
    }
    if (request.url === '/api/sdk/v1/events') {
      service.events.push(JSON.parse(await text(request)))
      service.eventKeys.push(request.headers.authorization)
      return service.eventsAnswer(request, response)
    }
    if (request.url !== '/api/sdk/heartbeat') {
      service.requests.push(request)
      return service.answer(request, response)
    }
    service.heartbeats.push({ headers: request.headers, body: JSON.parse(await text(request)) })
    service.heartbeatAnswer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  service.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}
