import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isId } from '../platform/ids.ts'
import { inScope, type Span, type Tracing } from '../platform/tracing/index.ts'

/** Probes and scrapes would be most of the spans. */
const untraced = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * A span for each request. It names the route and never the address, in which there can be SDK keys and the secrets of
 * links. Only callers of the API continue their trace: nobody else decides what is kept.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, baseUrl: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions
    if (route && untraced.has(route)) return done()
    const parent = request.url.startsWith('/api/v1/') ? request.headers.traceparent : undefined
    const { method, id: requestId } = request
    const span = begin(tracing, { method, route, requestId, baseUrl }, typeof parent === 'string' ? { parent } : {})
    request.span = span
    reply.raw.once('close', () => {
      span.set({ 'http.response.status_code': reply.statusCode, ...placeOf(request) })
      if (reply.statusCode >= 500) span.fail(String(reply.statusCode))
      span.end()
    })
    inScope(tracing, span, done)
  })
  // The reader of the body runs outside the scope, and calls the next hook from there.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) inScope(tracing, request.span, done)
    else done()
  })
}

/** The span of a request that was answered before the framework. */
export type TraceAhead = (answer: { route: string; status: number; requestId: string; ms: number }) => void

export const traceAhead =
  (tracing: Tracing, baseUrl: string): TraceAhead =>
  ({ route, status, requestId, ms }) => {
    const span = begin(tracing, { method: 'GET', route, requestId, baseUrl }, { startedMsAgo: ms })
    span.set({ 'http.response.status_code': status })
    span.end()
  }

function begin(
  tracing: Tracing,
  {
    method,
    route,
    requestId,
    baseUrl,
  }: { method: string; route: string | undefined; requestId: string; baseUrl: string },
  options: { parent?: string; startedMsAgo?: number },
): Span {
  return tracing.begin(
    route ? `${method} ${route}` : method,
    {
      'http.request.method': method,
      'url.scheme': baseUrl.slice(0, baseUrl.indexOf(':')),
      ...(route && { 'http.route': route }),
      'svc.request_id': requestId,
    },
    { kind: 'server', ...options },
  )
}

function placeOf({ call, params }: FastifyRequest): Record<string, string> {
  const { projectId } = (params ?? {}) as { projectId?: string }
  return {
    ...(call && { 'svc.organization.id': call.caller.organization.id }),
    ...(projectId && isId(projectId) && { 'svc.project.id': projectId }),
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Only with a collector of traces. */
    span?: Span
  }
}
