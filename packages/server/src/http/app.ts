import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import cookies from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { z } from 'zod'
import { invalid, notFound, refuse } from '../catalogue/refusals.ts'
import { notingFields } from '../platform/issue-text.ts'
import { createServer } from '../platform/node-http.ts'
import type { Tracing } from '../platform/tracing/index.ts'
import type { AnswerAhead } from './ahead.ts'
import { answerUnknownRoutes } from './allow.ts'
import { isReceiving, maxBodyBytes, readJsonBodies } from './body.ts'
import { compressAnswers } from './compression.ts'
import { type ErrorContext, errorBody, handleErrors, Refused, sendRefusal } from './errors.ts'
import type { HeldPort } from './files/held-port.ts'
import { commonHeaders, isApi, newRequestId } from './headers.ts'
import { issuesOf } from './issues.ts'
import { missingText } from './not-found-text.ts'
import { traceRequests } from './traces.ts'

const requestTimeoutMs = 30_000
const keptConnectionMs = 72_000
const maxParamLength = 200
export interface AppOptions extends ErrorContext {
  log: FastifyBaseLogger
  trustProxy: boolean | string
  /** Requests that are answered before the framework. */
  answerAhead?: AnswerAhead | undefined
  /** The port that is already open for it. Without it, the server opens its own. */
  port?: HeldPort | undefined
  /** Further connections are closed at once. Default: no limit. */
  maxConnections?: number | undefined
  /** Makes a span of each request. */
  tracing?: Tracing | null
}

/** The web server with everything that all routes share: bodies, validation, errors, headers. */
export function buildApp({
  log,
  trustProxy,
  answerAhead,
  port,
  maxConnections,
  tracing,
  ...errors
}: AppOptions): FastifyInstance {
  const app = Fastify({
    serverFactory: (answer) => {
      const listener: RequestListener = (request, response) => {
        if (!answerAhead?.(request, response)) answer(request, response)
      }
      port?.prepare(listener)
      const server = port?.server ?? createServer(listener)
      server.keepAliveTimeout = keptConnectionMs
      server.requestTimeout = requestTimeoutMs
      if (maxConnections !== undefined) server.maxConnections = maxConnections
      return server
    },
    loggerInstance: log,
    trustProxy,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength },
    // In the API, an address with a trailing slash is the same address.
    rewriteUrl: ({ url = '/' }) =>
      /^\/(?:api|ofrep)\//.test(url) ? url.replace(/^([^?]*[^/?])\/(?=\?|$)/, '$1') : url,
    genReqId: () => newRequestId(),
    // The hook below logs one line for each answered request.
    logController: new LogController({ requestIdLogLabel: 'requestId', disableRequestLogging: true }),
    // Closing waits for requests in flight. A request that still arrives on a kept connection is served, and its answer
    // closes the connection.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // No hook runs for an address that cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      setCommonHeaders(request as FastifyRequest, reply as FastifyReply, errors)
      sendRefusal(reply as FastifyReply, errors, notFound('Address'))
    },
    clientErrorHandler: answerUnreadableRequests(errors.baseUrl),
  })
  app.setValidatorCompiler(({ schema, httpPart }) => (data) => {
    // Fastify's body is null if there was none.
    const parsed = (schema as z.ZodType).safeParse(data ?? undefined, { error: notingFields })
    if (parsed.success) return { value: parsed.data }
    // An invalid part of a path names nothing, so the answer is 404.
    if (httpPart === 'params') return { error: new Refused(refuse('not_found', unfitText(parsed.error, data))) }
    return { error: new Refused(invalid(...issuesOf(parsed.error, data, { httpPart, schema }))) }
  })
  app.setSerializerCompiler(
    ({ schema }) =>
      (data) =>
        JSON.stringify((schema as z.ZodType).encode(data)),
  )
  if (tracing) traceRequests(app, tracing, errors.baseUrl)
  // These hooks are synchronous, because promises would slow down the cheapest routes.
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply, errors)
    // Such a target is meant for a proxy. The router would take a path out of it, and other code that looks at the
    // address would see a different one.
    if (request.url.startsWith('/')) done()
    else done(new Refused(invalid({ path: [], message: 'The target of a request must be a path that begins with /.' })))
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.routeOptions.config.quiet) logAnswer(request, reply)
    done()
  })
  refuseUnsendableHeaders(app)
  compressAnswers(app)
  app.register(cookies)
  readJsonBodies(app)
  handleErrors(app, errors)
  answerUnknownRoutes(app, errors)
  return app
}

/** Names the first part of a path that cannot name anything. */
function unfitText({ issues: [issue] }: z.ZodError, params: unknown): string {
  const param = String(issue!.path[0])
  return missingText({ names: [{ param, name: String((params as Record<string, unknown>)[param]) }] })
}

/**
 * Node refuses some characters in headers when it sends them, which is too late for an answer of ours. The header goes,
 * and the answer is an error in the usual form.
 */
function refuseUnsendableHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const headers = reply.getHeaders()
    const names = Object.keys(headers).filter((name) => unsendable.test(String(headers[name])))
    for (const name of names) reply.removeHeader(name)
    if (names.length > 0) done(new Error(`the header ${names.join()} cannot be sent`))
    else done()
  })
}

const unsendable = /[^\t\x20-\x7e\x80-\xff]/

function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const { method, ip, routeOptions } = request
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const credentialId = request.call?.caller.id ?? request.own?.credential.id
  request.log.info({ method, route: routeOptions.url, status: reply.statusCode, ms, ip, credentialId }, 'answered')
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, { baseUrl }: ErrorContext): void {
  reply.headers(commonHeaders(request.id, baseUrl))
  if (isApi(request.url)) reply.header('cache-control', 'no-store')
}

/** Answers requests that Node's parser refuses with the usual error object, then closes the connection. */
function answerUnreadableRequests(baseUrl: string) {
  return (error: Error & { code?: string }, socket: Socket) => {
    if (!socket.writable || socket.destroyed) return
    // A file that a route reads has a limit of its own. Node tells this once for a request, and the connection stays.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReceiving(socket)) return
    const [status, message]: [string, string] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'The request’s headers are too large.']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ['408 Request Timeout', 'The request took too long to arrive.']
          : ['400 Bad Request', 'This is not a well-formed HTTP request.']
    const body = JSON.stringify(errorBody(refuse('validation_failed', message), baseUrl, newRequestId()))
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requested so often that their log lines would hide the others. */
    quiet?: true
  }
}
