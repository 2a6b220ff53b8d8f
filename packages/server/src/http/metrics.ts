import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { refuse } from '../catalogue/refusals.ts'
import { type ErrorContext, errorBody, sendRefusal } from './errors.ts'
import type { HeldPort } from './files/held-port.ts'
import { commonHeaders, newRequestId } from './headers.ts'
import { hidden } from './hidden.ts'

export const metricsPath = '/metrics'

export interface MetricsContext extends ErrorContext {
  registry: Registry
  token: string
}

/**
 * `/metrics` on the public port, for callers with the token. Without a token in the settings, the address does not
 * exist there.
 */
export function serveMetrics(app: FastifyInstance, { registry, token, ...errors }: MetricsContext): void {
  const isToken = sameAs(token)
  app.get(metricsPath, hidden, async (request, reply) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (!given || !isToken(given))
      return sendRefusal(
        reply,
        errors,
        refuse('unauthorized', 'Send the value of SVC_METRICS_TOKEN as a bearer token.'),
      )
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** `/metrics` on a separate port. The operator limits who can reach it. */
export function serveMetricsAlone(port: HeldPort, registry: Registry, baseUrl: string): void {
  port.prepare(async (request, response) => {
    const requestId = newRequestId()
    const headers = commonHeaders(requestId, baseUrl)
    const [path] = (request.url ?? '').split('?')
    if (path !== metricsPath || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(404, { ...headers, 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(errorBody(refuse('not_found', 'Address not found.'), baseUrl, requestId)))
      return
    }
    const text = await registry.metrics()
    response.writeHead(200, { ...headers, 'content-type': registry.contentType })
    response.end(text)
  })
  port.open()
}

/** Compares digests, which have equal lengths, in constant time. */
function sameAs(secret: string): (given: string) => boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  const expected = digestOf(secret)
  return (given) => timingSafeEqual(digestOf(given), expected)
}
