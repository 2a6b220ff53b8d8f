import type { RequestListener, Server } from 'node:http'
import { refuse } from '../../catalogue/refusals.ts'
import { createServer } from '../../platform/node-http.ts'
import { errorBody } from '../errors.ts'
import { commonHeaders, newRequestId, pageHeaders } from '../headers.ts'
import { isNavigation } from './navigation.ts'
import { startingPage, startingPagePolicy } from './starting-page.ts'

/** A port that is opened before the service is ready. */
export interface HeldPort {
  server: Server
  /** The handler that answers once the service is ready. */
  prepare(listener: RequestListener): void
  open(): void
}

/** Where to listen, and the names of the settings that say so. */
export interface PortSettings {
  host: string
  port: number
  portName: string
  baseUrl: string
}

/**
 * Listens early and answers that the service is starting. A port that is in use is thus found before anything is
 * created, and no other program can take it during the start. Returns why listening failed, worded to follow a
 * setting's name.
 */
export async function holdPort(settings: PortSettings): Promise<HeldPort | { problem: string }> {
  let prepared: RequestListener = answerStarting(settings.baseUrl)
  let current = prepared
  const server = createServer((request, response) => current(request, response))
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen({ host: settings.host, port: settings.port }, listening.resolve)
  try {
    await listening.promise
  } catch (error) {
    return { problem: problemOf(error as NodeJS.ErrnoException, settings) }
  }
  server.off('error', listening.reject)
  return {
    server,
    prepare(listener) {
      prepared = listener
    },
    open() {
      current = prepared
    },
  }
}

function problemOf({ code }: NodeJS.ErrnoException, { host, port, portName }: PortSettings): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${portName} must be a free port (got ${port}): another program already listens on ${host}:${port}.`
    case 'EACCES':
      return `${portName} must be a port that this user can listen on (got ${port}).`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `SVC_HOST must be an address of this machine (got ${host}).`
    default:
      return `${portName}: cannot listen on ${host}:${port} (${code}).`
  }
}

const retryAfterSeconds = 1

/**
 * Alive, but not ready: people get a page that refreshes itself, programs an error. The answer closes the connection,
 * because later requests belong to the service.
 */
const answerStarting =
  (baseUrl: string): RequestListener =>
  (request, response) => {
    const requestId = newRequestId()
    const isAlive = request.url === '/healthz'
    if (!isAlive && isNavigation(request)) {
      response.writeHead(503, {
        ...commonHeaders(requestId, baseUrl),
        ...pageHeaders,
        'content-security-policy': startingPagePolicy,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': String(retryAfterSeconds),
        vary: 'Accept',
        connection: 'close',
      })
      response.end(request.method === 'HEAD' ? undefined : startingPage(retryAfterSeconds))
      return
    }
    const body = isAlive
      ? { status: 'ok' }
      : errorBody(refuse('unavailable', 'The service is starting.'), baseUrl, requestId)
    const headers = { ...commonHeaders(requestId, baseUrl), 'content-type': 'application/json; charset=utf-8' }
    const wait = isAlive ? {} : { 'retry-after': String(retryAfterSeconds) }
    response.writeHead(isAlive ? 200 : 503, { ...headers, ...wait, connection: 'close' })
    response.end(JSON.stringify(body))
  }
